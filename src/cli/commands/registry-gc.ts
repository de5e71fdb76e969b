import { defineCommand } from '../command.ts';

export const registryGcCommand = defineCommand({
  description:
    'Frees the space of what was deleted: removes every blob that no manifest in the folder of a registry needs, tagged or not. Blobs that were pushed within the last hour stay. Stop the registry first; only --dry-run works beside it.',
  arguments: {},
  options: {
    store: {
      kind: 'folder',
      value: 'DIR',
      summary: 'the folder that "slipway registry serve --store" keeps its content in',
      required: true,
    },
    'dry-run': { kind: 'flag', summary: 'show what would be removed, and remove nothing' },
  },
  examples: [
    {
      run: 'slipway registry gc --store /srv/registry --dry-run',
      does: 'See how much can be freed',
    },
    { run: 'slipway registry gc --store /srv/registry', does: 'Free it' },
  ],
  async run(context, input) {
    const { runCollect } = await import('../collect/run-collect.ts');
    return runCollect(context, {
      storeFolder: input.options.store,
      dryRun: input.options['dry-run'],
    });
  },
});
