import type { ArgumentSpec, CommandEntry, OptionSpec } from '../command.ts';
import { globalOptions } from '../command.ts';

/** What a shell may offer at one place: after a command's name, or after a group's. */
export interface Place {
  /** `bundle create`, `bundle`, or empty for the beginning. */
  readonly name: string;
  /** Next words of names, with what they do. */
  readonly commands: readonly Word[];
  readonly options: readonly OptionWord[];
  /** What the arguments are. */
  readonly operands: Values;
}

/** A word and what it means. */
export interface Word {
  readonly text: string;
  readonly summary: string;
}

/** An option with the values it takes; undefined for a flag. */
export interface OptionWord {
  readonly long: string;
  readonly short: string | undefined;
  readonly summary: string;
  readonly values: Values | undefined;
}

/** What may stand where a value is expected. */
export type Values =
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** Every place of the command line, from the table and the definitions of the commands. */
export async function completionPlaces(table: readonly CommandEntry[]): Promise<readonly Place[]> {
  const leaves = await Promise.all(table.map(commandPlace));
  const names = new Set(['', ...table.flatMap(({ name }) => groupsOf(name))]);
  const groups = [...names].map((name) => groupPlace(name, table));
  return [...groups, ...leaves];
}

async function commandPlace(entry: CommandEntry): Promise<Place> {
  const definition = await entry.load();
  const options = { ...definition.options, ...globalOptions };
  const operands = Object.values(definition.arguments).map(valuesOf);
  return {
    name: entry.name,
    commands: [],
    options: Object.entries(options).map(([name, spec]) => optionWord(name, spec)),
    operands: operands[0] ?? { kind: 'words', words: [] },
  };
}

function groupPlace(name: string, table: readonly CommandEntry[]): Place {
  const prefix = name === '' ? '' : `${name} `;
  const inside = table.filter((entry) => entry.name.startsWith(prefix));
  const commands = new Map<string, string>();
  for (const entry of inside) {
    const [first = '', ...rest] = entry.name.slice(prefix.length).split(' ');
    if (rest.length === 0) commands.set(first, entry.summary);
    else if (!commands.has(first)) commands.set(first, `commands for ${prefix}${first}`);
  }
  return {
    name,
    commands: [...commands].map(([text, summary]) => ({ text, summary })),
    options: [optionWord('help', globalOptions.help)],
    operands: { kind: 'words', words: [] },
  };
}

function groupsOf(name: string): readonly string[] {
  const words = name.split(' ');
  return words.slice(0, -1).map((_word, index) => words.slice(0, index + 1).join(' '));
}

function optionWord(name: string, spec: OptionSpec): OptionWord {
  return {
    long: `--${name}`,
    short: spec.short === undefined ? undefined : `-${spec.short}`,
    summary: spec.summary,
    values: spec.kind === 'flag' ? undefined : valuesOf(spec),
  };
}

function valuesOf(spec: ArgumentSpec | Exclude<OptionSpec, { kind: 'flag' }>): Values {
  if (spec.kind === 'file') return { kind: 'files' };
  if (spec.kind === 'folder') return { kind: 'folders' };
  const words = 'choices' in spec ? (spec.choices ?? []) : [];
  return { kind: 'words', words };
}
