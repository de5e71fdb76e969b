/** Mistakes put into our own reading on purpose: a copy of the modules with one text changed. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** One changed text in one file of a runtime's folder. */
export interface Mutant {
  readonly what: string;
  /** Below src/mirrors/RUNTIME: `walk/match-prefix.ts`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * `our-answer.ts` of the oracle of a runtime with the mistake in what it imports from src/mirrors/RUNTIME; the real
 * modules stay as they are. Rejects when the text is not there. The type is that of the original module.
 */
export async function importMutant<Module>(
  runtime: string,
  { file, from, to }: Mutant,
): Promise<Module> {
  const mark = `?mutant=${createHash('sha256').update(`${file}\0${from}`).digest('hex')}`;
  const folders = [`/src/mirrors/${runtime}/`, `/test/oracles/${runtime}/`];
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      const isMarked = context.parentURL?.endsWith(mark) === true || specifier.endsWith(mark);
      const isOurs = folders.some((folder) => found.url.includes(folder));
      if (!isMarked || !isOurs || found.url.includes('?mutant=')) return found;
      return { ...found, url: found.url + mark };
    },
    load: (url, context, next) => {
      if (!url.endsWith(`/${runtime}/${file}${mark}`)) return next(url, context);
      const text = readFileSync(fileURLToPath(url.slice(0, -mark.length)), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not say ${from} any more`);
      return { format: 'module-typescript', source: text.replace(from, to), shortCircuit: true };
    },
  });
  try {
    const path = new URL(`../oracles/${runtime}/our-answer.ts${mark}`, import.meta.url).href;
    // The module is our own, with the type of the original.
    return (await import(path)) as Module;
  } finally {
    hooks.deregister();
  }
}
