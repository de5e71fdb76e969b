import { defineCommand } from '../command.ts';

export const quickstartCommand = defineCommand({
  description:
    'Shows the main job in a few seconds, on loopback only, without privileges and without the network: a sample release in three registries becomes a bundle, the bundle fills the registry of an offline site, a node gets its rules, and the proof finds two faults, repairs them and ends with "N of N proven". Every step is a command that you can run yourself. On a terminal it goes on serving until Ctrl-C.',
  arguments: {},
  options: {
    folder: {
      kind: 'folder',
      value: 'DIR',
      summary: 'keep everything in this new or empty folder; default: leave nothing behind',
    },
  },
  examples: [
    { run: 'slipway quickstart', does: 'See the whole chain' },
    { run: 'slipway quickstart --folder try', does: 'Keep the documents, the bundle and the node' },
  ],
  exits: { 1: 'a step did not end as it should' },
  async run(context, input) {
    const { runQuickstart } = await import('../quickstart/run-quickstart.ts');
    return runQuickstart(context, input.options.folder);
  },
});
