import {
  type CommandDefinition,
  type CommandEntry,
  globalOptions,
  type OptionSpecs,
} from '../../src/cli/command.ts';
import { optionFacts, optionWord, usageLine } from '../../src/cli/help.ts';

/** docs/reference/commands.md, from the table of commands. */
export async function commandsPage(table: readonly CommandEntry[]): Promise<string> {
  const sections = await Promise.all(
    table.map(async (entry) => commandSection(entry, await entry.load())),
  );
  return [
    '# Commands',
    '<!-- Made by "npm run docs" from the definitions in src/cli/commands; do not edit. -->',
    'Data goes to standard output, messages and progress to standard error. What the exit codes mean: [exit codes](exit-codes.md).',
    '## Options of every command',
    ...optionsTable(globalOptions),
    ...sections.flat(),
  ]
    .join('\n\n')
    .concat('\n');
}

function commandSection(entry: CommandEntry, definition: CommandDefinition): readonly string[] {
  const words = Object.entries(definition.arguments).map(([name, spec]) => {
    const choices = spec.choices === undefined ? '' : `: ${spec.choices.join(', ')}`;
    return `- \`${name.toUpperCase()}\`: ${escapeMarkdown(spec.summary)}${choices}`;
  });
  const exits = Object.entries(definition.exits ?? {});
  return [
    `## slipway ${entry.name}`,
    `${entry.summary}.`,
    ...(definition.description === undefined ? [] : [escapeMarkdown(definition.description)]),
    `\`\`\`text\n${usageLine(entry, definition)}\n\`\`\``,
    ...(words.length === 0 ? [] : [words.join('\n')]),
    ...optionsTable(definition.options),
    ...definition.examples.map(
      ({ run, does }) => `${escapeMarkdown(does)}:\n\n\`\`\`sh\n${run}\n\`\`\``,
    ),
    ...exits.map(([code, meaning]) => `Exit code ${code}: ${escapeMarkdown(meaning)}.`),
  ];
}

function optionsTable(options: OptionSpecs): readonly string[] {
  const rows = Object.entries(options).map(([name, spec]) => {
    const facts = optionFacts(spec);
    const text = facts === '' ? spec.summary : `${spec.summary} (${facts})`;
    return `| \`${optionWord(name, spec)}\` | ${escapeMarkdown(text)} |`;
  });
  return rows.length === 0 ? [] : [['| option | meaning |', '| --- | --- |', ...rows].join('\n')];
}

function escapeMarkdown(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*');
}
