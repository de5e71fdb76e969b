import { defineCommand } from '../command.ts';

export const bundleVerifyCommand = defineCommand({
  description:
    'Reads every byte of a bundle and names each file that is changed, cut short, missing or added.',
  arguments: {
    bundle: { kind: 'file', summary: 'the bundle, a folder or .tar', required: true },
  },
  options: {},
  examples: [{ run: 'slipway bundle verify openfuyao.tar', does: 'Check what arrived' }],
  exits: { 1: 'the bundle is not what it was when it was made' },
  async run(context, input) {
    const { runBundleVerify } = await import('../bundle/run-verify.ts');
    return runBundleVerify(context, input.arguments.bundle);
  },
});
