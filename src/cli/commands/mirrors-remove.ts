import { defineCommand } from '../command.ts';
import { editOptions, editOrder } from '../mirrors/edit-options.ts';

export const mirrorsRemoveCommand = defineCommand({
  description:
    'Removes the rules of single registries from a node; the others stay. With --all, or with the last one, redirection is off: every file that Slipway wrote goes, files of others come back from their copies, and lines that were put into a main configuration leave it.',
  arguments: {
    registry: { kind: 'text', summary: 'the registries as they were added', many: true },
  },
  options: {
    all: { kind: 'flag', summary: 'remove everything that Slipway wrote' },
    ...editOptions,
  },
  examples: [
    { run: 'slipway mirrors remove quay.io', does: 'Pull from quay.io itself again' },
    { run: 'slipway mirrors remove --all --reload', does: 'Switch redirection off' },
  ],
  async run(context, input) {
    const { runRemove } = await import('../mirrors/run-edit.ts');
    const { hideLoginsIn } = await import('../mirrors/hide-logins.ts');
    const result = await runRemove(context, {
      ...editOrder(input.options),
      registries: input.arguments.registry,
      all: input.options.all,
    });
    return hideLoginsIn(result);
  },
});
