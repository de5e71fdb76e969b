import { alignColumns, wrapText } from './columns.ts';
import type { ArgumentSpec, CommandDefinition, CommandEntry, OptionSpec } from './command.ts';
import { globalOptions } from './command.ts';
import { exitMeanings } from './exit-codes.ts';
import { fitLines } from './fit-lines.ts';
import type { Paint } from './terminal.ts';

/** How help is laid out. */
export interface HelpLook {
  readonly paint: Paint;
  readonly width: number;
}

const indent = '  ';

/** All commands, or those of one group: `slipway help bundle`. */
export function programHelp(
  commands: readonly CommandEntry[],
  group: string | undefined,
  look: HelpLook,
): string {
  const shown = commands.filter(
    (entry) => group === undefined || entry.name.startsWith(`${group} `),
  );
  const rows = shown.map((entry) => [entry.name, entry.summary]);
  const intro = [
    ...wrapText(
      'Slipway brings the images of a Kubernetes platform from many registries into one bundle, the bundle into one registry, and proves that every node will find every image there.',
      look.width,
    ),
    '',
  ];
  const lines = [
    ...(group === undefined ? intro : []),
    look.paint('bold', `slipway ${group ?? ''}${group ? ' ' : ''}COMMAND`),
    ...alignColumns(rows).map((line) => indent + line),
    '',
    look.paint('bold', 'Options of every command'),
    ...optionLines(globalOptions, look),
    '',
    look.paint('bold', 'Exit codes'),
    ...exitLines(exitMeanings),
    '',
    `More about one command: slipway help ${group ?? ''}${group ? ' ' : ''}COMMAND`,
  ];
  return fitLines(lines.join('\n'), look.width);
}

/** One command: how it is called, its arguments and options, examples, exit codes. */
export function commandHelp(
  entry: CommandEntry,
  definition: CommandDefinition,
  look: HelpLook,
): string {
  const sections = [
    [look.paint('bold', usageLine(entry, definition)), ...wrapText(entry.summary, look.width)],
    wrapped(definition.description, look),
    titled('Arguments', argumentLines(definition.arguments), look),
    titled('Options', optionLines(definition.options, look), look),
    titled('Options of every command', optionLines(globalOptions, look), look),
    titled('Examples', exampleLines(definition), look),
    titled('Exit codes', exitLines(exitsOf(definition)), look),
  ];
  const text = sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n');
  return fitLines(text, look.width);
}

/** The same for programs. */
export function describeCommand(entry: CommandEntry, definition: CommandDefinition): unknown {
  const { description, arguments: words, options, examples, exits } = definition;
  const { name, summary } = entry;
  return { name, summary, description, arguments: words, options, examples, exits };
}

/** `slipway plan RELEASE [DOCUMENT...] [options]`. */
export function usageLine(entry: CommandEntry, definition: CommandDefinition): string {
  const words = Object.entries(definition.arguments).map(([name, spec]) =>
    argumentWord(name, spec),
  );
  const required = Object.entries(definition.options).flatMap(([name, spec]) =>
    spec.kind !== 'flag' && spec.required ? [`--${name} ${spec.value}`] : [],
  );
  return ['slipway', entry.name, ...words, ...required, '[options]'].join(' ');
}

/** `-o, --output FILE`. */
export function optionWord(name: string, spec: OptionSpec): string {
  const short = spec.short === undefined ? '' : `-${spec.short}, `;
  return `${short}--${name}${spec.kind === 'flag' ? '' : ` ${spec.value}`}`;
}

/** What an option's summary leaves to its spec: choices, limits, default, repetition. */
export function optionFacts(spec: OptionSpec): string {
  if (spec.kind === 'flag') return '';
  return [
    spec.kind === 'choice' ? `one of ${spec.choices.join(', ')}` : '',
    spec.kind === 'number' ? `${spec.minimum} to ${spec.maximum}` : '',
    spec.default === undefined ? '' : `default ${spec.default}`,
    spec.many ? 'may be repeated' : '',
    spec.required ? 'required' : '',
  ]
    .filter(Boolean)
    .join('; ');
}

function argumentWord(name: string, spec: ArgumentSpec): string {
  const word = name.toUpperCase() + (spec.many ? '...' : '');
  return spec.required ? word : `[${word}]`;
}

function argumentLines(specs: Readonly<Record<string, ArgumentSpec>>): readonly string[] {
  const rows = Object.entries(specs).map(([name, spec]) => [
    name.toUpperCase(),
    spec.choices === undefined ? spec.summary : `${spec.summary}: ${spec.choices.join(', ')}`,
  ]);
  return alignColumns(rows).map((line) => indent + line);
}

function optionLines(
  specs: Readonly<Record<string, OptionSpec>>,
  look: HelpLook,
): readonly string[] {
  const entries = Object.entries(specs);
  const wordWidth = Math.max(0, ...entries.map(([name, spec]) => optionWord(name, spec).length));
  const room = Math.max(30, look.width - wordWidth - 4);
  return entries.flatMap(([name, spec]) => {
    const facts = optionFacts(spec);
    const lines = wrapText(facts === '' ? spec.summary : `${spec.summary} (${facts})`, room);
    return lines.map((line, index) => {
      const word = index === 0 ? optionWord(name, spec) : '';
      return `${indent}${word.padEnd(wordWidth)}  ${line}`;
    });
  });
}

function exampleLines(definition: CommandDefinition): readonly string[] {
  return definition.examples.flatMap(({ run, does }) => [
    `${indent}${does}`,
    `${indent}  $ ${run}`,
  ]);
}

function exitLines(meanings: Readonly<Record<number, string>>): readonly string[] {
  return Object.entries(meanings).map(
    ([code, meaning]) => `${indent}${code.padStart(3)}  ${meaning}`,
  );
}

/** The common ones, with what this command says about its own; a plain "no" only where it has one. */
function exitsOf({ exits = {} }: CommandDefinition): Readonly<Record<number, string>> {
  const { 1: _plainNo, ...common } = exitMeanings;
  return { ...common, ...exits };
}

function titled(title: string, lines: readonly string[], look: HelpLook): readonly string[] {
  return lines.length === 0 ? [] : [look.paint('bold', title), ...lines];
}

function wrapped(text: string | undefined, look: HelpLook): readonly string[] {
  return text === undefined ? [] : wrapText(text, look.width);
}
