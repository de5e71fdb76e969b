import { defineCommand } from '../command.ts';
import { CommandUnknown } from '../errors.ts';
import { commandHelp, describeCommand, programHelp } from '../help.ts';

export const helpCommand = defineCommand({
  arguments: { command: { kind: 'text', many: true, summary: 'a command or a group' } },
  options: {},
  isInstant: true,
  examples: [
    { run: 'slipway help', does: 'Show all commands' },
    { run: 'slipway help doctor', does: 'Show the options of one command' },
  ],
  async run({ commands, terminal }, input) {
    const name = input.arguments.command.join(' ');
    const look = { paint: terminal.paint, width: terminal.width };
    const entry = commands.find((candidate) => candidate.name === name);
    if (entry !== undefined) {
      const definition = await entry.load();
      const json = describeCommand(entry, definition);
      return { json, text: commandHelp(entry, definition, look) };
    }
    const group = name === '' ? undefined : name;
    const shown = commands.filter((one) => group === undefined || one.name.startsWith(`${group} `));
    if (shown.length === 0) throw new CommandUnknown({ typed: name, hint: '' });
    const json = shown.map((one) => ({ name: one.name, summary: one.summary }));
    return { json, text: programHelp(commands, group, look) };
  },
});
