import type {
  ArgumentSpecs,
  CommandDescription,
  CommandInput,
  OptionSpec,
  OptionSpecs,
} from './command.ts';
import { globalOptions } from './command.ts';
import { optionName, splitArguments } from './split-arguments.ts';
import type { UsageProblem } from './usage-problem.ts';

/** A command line after parsing: what to run it with, a wish for help, or what is wrong. */
export type ParsedCommand =
  | { readonly kind: 'input'; readonly input: CommandInput<OptionSpecs, ArgumentSpecs> }
  | { readonly kind: 'help' }
  | { readonly kind: 'problem'; readonly problem: UsageProblem };

type Plain = string | number | boolean;
type Result<T> = { readonly value: T } | { readonly problem: UsageProblem };

/** Reads a command's arguments and options: `['release.yaml', '-o', 'x.yaml']` → typed input. */
export function parseCommand(
  definition: CommandDescription,
  args: readonly string[],
): ParsedCommand {
  const specs: OptionSpecs = { ...definition.options, ...globalOptions };
  const given = new Map<string, Plain[]>();
  const words: string[] = [];
  for (const piece of splitArguments(args, specs)) {
    if (piece.kind === 'word') {
      words.push(piece.text);
      continue;
    }
    const name = optionName(piece.typed, specs);
    const spec = name === undefined ? undefined : specs[name];
    if (name === undefined || spec === undefined) {
      return { kind: 'problem', problem: { kind: 'unknown-option', typed: piece.typed } };
    }
    const read = readValue(spec, piece.typed, piece.value);
    if ('problem' in read) return { kind: 'problem', problem: read.problem };
    given.set(name, [...(given.get(name) ?? []), read.value]);
  }
  return given.has('help') ? { kind: 'help' } : complete(definition, given, words);
}

function complete(
  definition: CommandDescription,
  given: ReadonlyMap<string, readonly Plain[]>,
  words: readonly string[],
): ParsedCommand {
  const options = collectOptions(definition.options, given);
  if ('problem' in options) return { kind: 'problem', ...options };
  const values = collectArguments(definition.arguments, words);
  if ('problem' in values) return { kind: 'problem', ...values };
  return { kind: 'input', input: { options: options.value, arguments: values.value } };
}

function readValue(spec: OptionSpec, option: string, text: string | undefined): Result<Plain> {
  const bad = (because: string): Result<Plain> => ({
    problem: { kind: 'bad-value', option, because },
  });
  if (spec.kind === 'flag') return text === undefined ? { value: true } : bad('takes no value');
  if (text === undefined || text === '') return bad(`needs a value: ${spec.value}`);
  if (spec.kind === 'choice' && !spec.choices.includes(text)) {
    const because = `cannot be "${text}"; it is one of ${spec.choices.join(', ')}`;
    const choice = { typed: text, known: spec.choices };
    return { problem: { kind: 'bad-value', option, because, choice } };
  }
  if (spec.kind !== 'number') return { value: text };
  const { minimum, maximum } = spec;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < minimum || number > maximum) {
    return bad(`must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
  }
  return { value: number };
}

type Options = CommandInput<OptionSpecs, ArgumentSpecs>['options'];

function collectOptions(
  specs: OptionSpecs,
  given: ReadonlyMap<string, readonly Plain[]>,
): Result<Options> {
  const values: Record<string, Plain | readonly Plain[] | undefined> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const found = given.get(name) ?? [];
    if (found.length === 0 && spec.kind !== 'flag' && spec.required) {
      const option = `--${name} ${spec.value}`;
      return { problem: { kind: 'missing-option', option, summary: spec.summary } };
    }
    values[name] = optionValue(spec, found);
  }
  // Each value was read by the kind of its spec, which is what the input's type says.
  return { value: values as Options };
}

/** Of an option that is given twice but takes one value, the last counts, as everywhere. */
function optionValue(spec: OptionSpec, found: readonly Plain[]) {
  if (spec.kind === 'flag') return found.length > 0;
  return spec.many ? found : (found.at(-1) ?? spec.default);
}

type Arguments = CommandInput<OptionSpecs, ArgumentSpecs>['arguments'];

function collectArguments(specs: ArgumentSpecs, words: readonly string[]): Result<Arguments> {
  const values: Record<string, string | readonly string[] | undefined> = {};
  let next = 0;
  for (const [name, spec] of Object.entries(specs)) {
    const left = spec.many ? words.slice(next) : words.slice(next, next + 1);
    if (left.length === 0 && spec.required) {
      const problem = { kind: 'missing-argument', name: name.toUpperCase() } as const;
      return { problem: { ...problem, summary: spec.summary } };
    }
    const wrong = left.find((word) => spec.choices !== undefined && !spec.choices.includes(word));
    if (wrong !== undefined) return { problem: { kind: 'extra-argument', typed: wrong } };
    values[name] = spec.many ? left : left[0];
    next += left.length;
  }
  const extra = words[next];
  if (extra !== undefined) return { problem: { kind: 'extra-argument', typed: extra } };
  // Words are texts, one or many as the spec says, which is what the input's type says.
  return { value: values as Arguments };
}
