/** Mistakes put into our own reading on purpose: a copy of the modules with one text changed. */

import { readFileSync } from 'node:fs';
import { type LoadHookContext, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ourAnswers } from './our-answer.ts';

/** One changed text in one file of src/mirrors/registries-conf. */
export interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Ten mistakes that would be easy to make. */
export const mutants: readonly Mutant[] = [
  {
    what: 'the first matching prefix wins, not the longest',
    file: 'walk/match-prefix.ts',
    from: 'registry.prefix.length > (best?.prefix.length ?? 0)',
    to: 'best === undefined',
  },
  {
    what: 'a prefix without port matches no name with port',
    file: 'walk/match-prefix.ts',
    from: "[':', '/', '@']",
    to: "['/', '@']",
  },
  {
    what: 'a wildcard matches one label only',
    file: 'walk/match-prefix.ts',
    from: "name.slice(0, at).includes('/')",
    to: '/[/.]/.test(name.slice(0, at))',
  },
  {
    what: 'mirrors come after the registry',
    file: 'walk/pull-sources.ts',
    from: '[...mirrors, registry.endpoint]',
    to: '[registry.endpoint, ...mirrors]',
  },
  {
    what: 'tag-only mirrors are asked by digest too',
    file: 'walk/pull-sources.ts',
    from: "digest !== undefined && pullFromMirror === 'tag-only'",
    to: "digest === undefined && pullFromMirror === 'never'",
  },
  {
    what: 'the last table of a prefix wins in one file',
    file: 'read/registries-file.ts',
    from: 'if (!first.has(one.prefix)) first.set',
    to: 'first.set',
  },
  {
    what: 'the table of the main file wins over that of a drop-in',
    file: 'read/registries-config.ts',
    from: 'const registries = all.flatMap(',
    to: 'const registries = all.toReversed().flatMap(',
  },
  {
    what: 'insecure of the registry reaches its mirrors',
    file: 'walk/pull-sources.ts',
    from: 'insecure: endpoint.insecure,',
    to: 'insecure: endpoint.insecure || registry.endpoint.insecure,',
  },
  {
    what: 'blocked counts for the name asked for only',
    file: 'walk/pull-attempts.ts',
    from: 'registry?.blocked !== true',
    to: 'registry?.blocked !== true || registry.mirrors.length === 0',
  },
  {
    what: 'a location need not be a full name',
    file: 'walk/pull-sources.ts',
    from: 'formatReference(reference) === text',
    to: 'text.length > 0',
  },
];

/** The reader with the mistake in it; the real one stays as it is. Throws when the text is not there. */
export async function withMutant({ file, from, to }: Mutant): Promise<typeof ourAnswers> {
  const number = mutants.findIndex((one) => one.from === from && one.file === file);
  const mark = `?mutant=${number}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const isMarked = context.parentURL?.endsWith(mark) === true || specifier.endsWith(mark);
      const isOurs = /\/(?:src\/mirrors\/registries-conf|test\/oracles\/registries-conf)\//.test(
        found.url,
      );
      if (!isMarked || !isOurs || found.url.includes('?mutant=')) return found;
      return { ...found, url: found.url + mark };
    },
    load: (url, context: LoadHookContext, next) => {
      if (!url.endsWith(`/registries-conf/${file}${mark}`)) return next(url, context);
      const text = readFileSync(fileURLToPath(url.slice(0, -mark.length)), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not say ${from} any more`);
      return { format: 'module-typescript', source: text.replace(from, to), shortCircuit: true };
    },
  });
  try {
    const path = new URL(`our-answer.ts${mark}`, import.meta.url).href;
    // The module is our own, with the type of the original.
    return ((await import(path)) as { ourAnswers: typeof ourAnswers }).ourAnswers;
  } finally {
    hooks.deregister();
  }
}
