/** One of Go's TOML libraries in one version, as a program, and its answers in our values. */

import { join } from 'node:path';
import type { TomlValue } from '../../../src/documents/toml.ts';
import { runProgram } from '../../support/tools/run-program.ts';

/** `burntsushi-1.6` and so on: the name of its module file in the folder `program`. */
export type GoLibrary =
  | 'burntsushi-1.5'
  | 'burntsushi-1.6'
  | 'go-toml-1.9'
  | 'go-toml-2.2'
  | 'go-toml-2.3'
  | 'go-toml-2.4';

/** The date that stands for every date, as in our own readings. */
const aDate: TomlValue = new Date(0);

/** Builds it into the folder, and says what to run. */
export async function buildGoLibrary(library: GoLibrary, folder: string): Promise<string> {
  const program = join(folder, library);
  const tag = library.startsWith('burntsushi')
    ? 'burntsushi'
    : `gotoml${library.split('-')[2]?.[0]}`;
  const flags = ['-trimpath', '-buildvcs=false', '-mod=readonly', `-modfile=${library}.mod`];
  await runProgram(['nice', 'go', 'build', ...flags, '-tags', tag, '-o', program, '.'], {
    cwd: new URL('program/', import.meta.url).pathname,
    env: { CGO_ENABLED: '0', GOFLAGS: '' },
    timeoutMs: 600_000,
  });
  return program;
}

/** What it makes of each text: undefined where it refuses it. */
export async function goAnswers(
  program: string,
  texts: readonly Uint8Array[],
): Promise<ReadonlyArray<TomlValue | undefined>> {
  const input = texts.map((bytes) => `${Buffer.from(bytes).toString('base64')}\n`).join('');
  const { stdout } = await runProgram([program], { input, timeoutMs: 600_000 });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      // The program writes lists of none or one typed value.
      const [value] = JSON.parse(line) as readonly Typed[];
      return value === undefined ? undefined : plain(value);
    });
}

type Typed =
  | string
  | boolean
  | { readonly integer: string }
  | { readonly float: string }
  | { readonly date: true }
  | { readonly list: readonly Typed[] }
  | { readonly table: { readonly [name: string]: Typed } };

function plain(value: Typed): TomlValue {
  if (typeof value !== 'object') return value;
  if ('integer' in value) return BigInt(value.integer);
  if ('float' in value) return Number(value.float.replace('Inf', 'Infinity'));
  if ('list' in value) return value.list.map(plain);
  if ('date' in value) return aDate;
  return Object.fromEntries(Object.entries(value.table).map(([name, item]) => [name, plain(item)]));
}
