/** Mistakes put into our own reading on purpose: a copy of the modules with one text changed. */

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ourAnswer } from './our-answer.ts';

/** One changed text in one file of src/mirrors/talos. */
export interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const mutants: readonly Mutant[] = [
  {
    what: 'skipFallback makes the first endpoint the server',
    file: 'convert/generate-hosts.ts',
    from: 'entries.pop()',
    to: 'entries.shift()',
  },
  {
    what: 'a port stays in the name of a folder',
    file: 'convert/generate-hosts.ts',
    from: 'return colon > 0 ?',
    to: 'return colon > 99 ?',
  },
  {
    what: 'nulls of a list count',
    file: 'read/read-registries.ts',
    from: '.filter(({ isSet }) => isSet)',
    to: '',
  },
  {
    what: 'a login of docker.io stands under docker.io',
    file: 'convert/cri-config.ts',
    from: 'return upstreamHost(name);',
    to: 'return name;',
  },
  {
    what: 'an unknown key is passed over',
    file: 'read/check-shape.ts',
    from: "return [{ kind: 'unknown', path: at, key, ...(near !== undefined && { near }) }];",
    to: 'return near === key ? [] : [];',
  },
];

/** Our answers with the mistake in them; the real ones stay. Throws when the text is not there. */
export async function withMutant({ file, from, to }: Mutant): Promise<typeof ourAnswer> {
  const mark = `?mutant=${mutants.findIndex((one) => one.from === from)}`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const isMarked = context.parentURL?.endsWith(mark) === true || specifier.endsWith(mark);
      const isOurs = /\/(?:src\/mirrors|test\/oracles)\/talos\//.test(found.url);
      if (!isMarked || !isOurs || found.url.includes('?mutant=')) return found;
      return { ...found, url: found.url + mark };
    },
    load: (url, context, next) => {
      if (!url.endsWith(`/talos/${file}${mark}`)) return next(url, context);
      const text = readFileSync(fileURLToPath(url.slice(0, -mark.length)), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not say ${from} any more`);
      return { format: 'module-typescript', source: text.replace(from, to), shortCircuit: true };
    },
  });
  try {
    const path = new URL(`our-answer.ts${mark}`, import.meta.url).href;
    // The module is our own, with the type of the original.
    return ((await import(path)) as { ourAnswer: typeof ourAnswer }).ourAnswer;
  } finally {
    hooks.deregister();
  }
}
