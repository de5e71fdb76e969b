import { defineCommand } from '../command.ts';

export const whyCommand = defineCommand({
  description:
    'Says why an image, chart or file is in a Lock: who asked for it, where it comes from, and whether it may travel.',
  arguments: {
    name: { kind: 'text', summary: 'a name or a part of one, such as pause', required: true },
  },
  options: {
    lock: {
      kind: 'file',
      value: 'LOCK',
      summary:
        'the Lock to look into, or a bundle with it; default: the only *.lock.yaml in this folder',
    },
  },
  examples: [
    { run: 'slipway why pause', does: 'Say who needs the pause image' },
    { run: 'slipway why etcd --lock openfuyao.lock.yaml', does: 'Look into one Lock of several' },
  ],
  exits: { 1: 'nothing in the Lock has that name' },
  async run(context, input) {
    const { runWhy } = await import('../plan/run-why.ts');
    return runWhy(context, { name: input.arguments.name, lockFile: input.options.lock });
  },
});
