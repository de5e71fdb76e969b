import { defineCommand } from '../command.ts';

export const initCommand = defineCommand({
  description:
    'Writes release.yaml, policy.yaml and site.yaml with comments that explain every field in use. Files that are there are never changed: then nothing is written.',
  arguments: {
    folder: { kind: 'folder', summary: 'where to write them; default: this folder' },
  },
  options: {},
  examples: [
    { run: 'slipway init my-platform', does: 'Begin in a new folder' },
    { run: 'slipway init', does: 'Begin in this folder' },
  ],
  async run(context, input) {
    const { runInit } = await import('../init/run-init.ts');
    return runInit(context, input.arguments.folder);
  },
});
