/** What we and CRI-O say about the files of one node, in one shape. */

import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import { readCrioConfig } from '../../../src/mirrors/registries-conf/read/crio-config.ts';

/** The files of one node, by path. */
export type CrioFiles = Readonly<Record<string, string>>;

/** An answer of program/main.go; what is not set is left out. */
export interface CrioAnswer {
  readonly error?: string;
  readonly auth?: string;
  readonly pause?: string;
}

/** The answer of src/mirrors/registries-conf. */
export async function ourAnswer(files: CrioFiles): Promise<CrioAnswer> {
  const read = await readCrioConfig(memoryTree(files), '1.0');
  if (read.kind === 'refused') return { error: read.error };
  const { globalAuthFile, pauseImage } = read;
  return {
    ...(globalAuthFile && { auth: globalAuthFile.value }),
    ...(pauseImage && { pause: pauseImage.value }),
  };
}

/** Without the words about a text that is no TOML, which are the library's own, and the names of Go types of tables. */
export function shownAnswer({ error, auth, pause }: CrioAnswer): string {
  const syntax = /(toml: )line \d+(?: \(last key "[^"]*"\))?: (?!incompatible|type mismatch).*$/s;
  return JSON.stringify({
    error: error
      ?.replace(syntax, '$1no TOML')
      .replace(/mismatch for .*: expected/, 'mismatch: expected'),
    auth,
    pause,
  });
}
