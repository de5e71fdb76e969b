import type { CommandEntry } from './command.ts';
import type { UsageProblem } from './usage-problem.ts';

/** Which command is meant, and what is left for its own parser; or what is wrong. */
export type Route =
  | { readonly entry: CommandEntry; readonly args: readonly string[] }
  | { readonly problem: UsageProblem };

/** What may stand in place of a command's name. */
const aliases: Readonly<Record<string, string>> = {
  '--version': 'version',
  '-V': 'version',
  '--help': 'help',
  '-h': 'help',
};
const leadingFlags = new Set(['--json', '--quiet', '-q', '--debug']);

/**
 * Finds the command of a command line: `['bundle', 'create', 'x', '-o', 'y']` → `bundle create`.
 *
 * Options for all commands may stand before the name; no words at all mean `help`; `--help` behind
 * a group is `help GROUP`.
 */
export function routeCommand(argv: readonly string[], table: readonly CommandEntry[]): Route {
  // A flag with a value is still that flag, so that its own parser says what is wrong.
  const start = argv.findIndex((arg) => !leadingFlags.has(arg.replace(/=.*$/s, '')));
  const before = start === -1 ? argv : argv.slice(0, start);
  const words = start === -1 ? ['help'] : argv.slice(start);
  const [first = ''] = words;
  const alias = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  if (alias !== undefined) return named([alias], words.slice(1), before, table);
  const depth = nameDepth(words, table);
  const next = words[depth];
  const name = words.slice(0, depth);
  const isGroup = depth > 0 && !table.some((entry) => entry.name === name.join(' '));
  if (isGroup && (next === '--help' || next === '-h')) {
    return named(['help'], name, before, table);
  }
  return named(name, words.slice(depth), before, table);
}

function named(
  name: readonly string[],
  rest: readonly string[],
  before: readonly string[],
  table: readonly CommandEntry[],
): Route {
  const entry = table.find((candidate) => candidate.name === name.join(' '));
  if (entry !== undefined) return { entry, args: [...before, ...rest] };
  const words = [...name, ...rest];
  return { problem: { kind: 'unknown-command', words, depth: name.length } };
}

/** How many of the words are part of a command's name. */
function nameDepth(words: readonly string[], table: readonly CommandEntry[]): number {
  for (let depth = Math.min(words.length, 3); depth > 0; depth -= 1) {
    const name = words.slice(0, depth).join(' ');
    const isPart = (entry: CommandEntry) =>
      entry.name === name || entry.name.startsWith(`${name} `);
    if (table.some(isPart)) return depth;
  }
  return 0;
}
