/** One of Go's TOML libraries in one version, as a program, and its answers in our values. */

import type { TomlValue } from '../../../src/documents/toml.ts';
import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';

/** `burntsushi-1.6` and so on: its set of test/support/tools/tool-sets.ts. */
export type GoLibrary =
  | 'burntsushi-1.5'
  | 'burntsushi-1.6'
  | 'go-toml-1.9'
  | 'go-toml-2.2'
  | 'go-toml-2.3'
  | 'go-toml-2.4';

/** The date that stands for every date, as in our own readings. */
const aDate: TomlValue = new Date(0);

/** What it makes of each text: undefined where it refuses it. Needs Go the first time. */
export async function goAnswers(
  library: GoLibrary,
  texts: readonly Uint8Array[],
): Promise<ReadonlyArray<TomlValue | undefined>> {
  const lines = texts.map((bytes) => Buffer.from(bytes).toString('base64'));
  const answers = await askProgram(await toolPath(library, 'oracle'), lines);
  return answers.map((line) => {
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
