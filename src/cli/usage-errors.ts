import { didYouMean } from '../documents/suggest.ts';
import type { CommandEntry, OptionSpecs } from './command.ts';
import { globalOptions } from './command.ts';
import {
  ArgumentMissing,
  ArgumentUnexpected,
  CommandIncomplete,
  CommandUnknown,
  OptionMissing,
  OptionUnknown,
  OptionValueInvalid,
} from './errors.ts';
import type { UsageProblem } from './usage-problem.ts';

/** What is known where the problem arose. */
export interface UsageSurroundings {
  readonly command: string;
  readonly options: OptionSpecs;
  readonly table: readonly CommandEntry[];
}

/** The error for a wrong command line, with the nearest right word where there is one. */
export function usageError(problem: UsageProblem, around: UsageSurroundings): Error {
  const { command, options, table } = around;
  switch (problem.kind) {
    case 'unknown-command':
      return commandError(problem.words, problem.depth, table);
    case 'unknown-option': {
      const known = Object.keys({ ...options, ...globalOptions }).map((name) => `--${name}`);
      const hint = problem.typed.startsWith('--') ? didYouMean(problem.typed, known) : '';
      return new OptionUnknown({ command, typed: problem.typed, hint });
    }
    case 'bad-value':
      return badValue(problem, command);
    case 'missing-option':
      return new OptionMissing({ command, ...problem });
    case 'missing-argument':
      return new ArgumentMissing({ command, ...problem });
    case 'extra-argument':
      return new ArgumentUnexpected({ command, typed: problem.typed });
    default:
      return problem satisfies never;
  }
}

function badValue(
  { option, because, choice }: Extract<UsageProblem, { kind: 'bad-value' }>,
  command: string,
): Error {
  const hint = choice === undefined ? '' : didYouMean(choice.typed, choice.known);
  return new OptionValueInvalid({ command, option, because: because + hint });
}

function commandError(
  words: readonly string[],
  depth: number,
  table: readonly CommandEntry[],
): Error {
  const group = words.slice(0, depth).join(' ');
  const prefix = group === '' ? '' : `${group} `;
  const commands = table.flatMap((entry) =>
    entry.name.startsWith(prefix) ? [entry.name.slice(prefix.length)] : [],
  );
  const next = words[depth];
  if (group !== '' && (next === undefined || next.startsWith('-'))) {
    return new CommandIncomplete({ group, commands });
  }
  return new CommandUnknown({ typed: `${prefix}${next}`, hint: hintFor(next ?? '', commands) });
}

/** `lint` alone is the end of one command's name, `mirrors lint`, and nothing else is nearer. */
function hintFor(typed: string, commands: readonly string[]): string {
  const whole = commands.filter((name) => name.endsWith(` ${typed}`));
  if (whole.length > 0) return `; did you mean "${whole.join('" or "')}"?`;
  const groups = commands.flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []));
  return didYouMean(typed, [...commands, ...new Set(groups)]);
}
