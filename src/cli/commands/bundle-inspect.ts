import { defineCommand } from '../command.ts';

export const bundleInspectCommand = defineCommand({
  description: 'Shows what a bundle holds, without reading its blobs.',
  arguments: {
    bundle: { kind: 'file', summary: 'the bundle, a folder or .tar', required: true },
  },
  options: {},
  examples: [
    { run: 'slipway bundle inspect openfuyao.tar', does: 'List images, charts and files' },
    { run: 'slipway bundle inspect openfuyao.tar --json', does: 'The same with all digests' },
  ],
  async run(context, input) {
    const { runBundleInspect } = await import('../bundle/run-inspect.ts');
    return runBundleInspect(context, input.arguments.bundle);
  },
});
