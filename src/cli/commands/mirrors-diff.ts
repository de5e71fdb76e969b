import { defineCommand } from '../command.ts';
import { nodeOptions } from '../node/node-options.ts';

export const mirrorsDiffCommand = defineCommand({
  description:
    'Shows what "slipway mirrors apply" would change on a node for a Site and a Lock: one unified diff for each file, which files would go and which stay, and what the runtime needs afterwards. Passwords are never shown. Changes nothing.',
  arguments: {},
  options: {
    site: { kind: 'file', value: 'SITE', summary: 'the Site', required: true },
    lock: {
      kind: 'file',
      value: 'LOCK',
      summary: 'the Lock, or a bundle with it; default: the only *.lock.yaml in this folder',
    },
    root: nodeOptions.rootHere,
    runtime: nodeOptions.runtime,
    cluster: nodeOptions.cluster,
    'insecure-skip-verify': {
      kind: 'flag',
      summary: 'as with "slipway mirrors apply"',
    },
  },
  examples: [
    {
      run: 'slipway mirrors diff --site site.yaml',
      does: 'See what the node you are on would get',
    },
    {
      run: 'slipway mirrors diff --site site.yaml --root /mnt/node-1 --runtime containerd@1.7.20',
      does: 'See it for another node',
    },
  ],
  exits: { 1: 'something would change' },
  async run(context, input) {
    const { runDiff } = await import('../mirrors/run-diff.ts');
    const { hideLoginsIn } = await import('../mirrors/hide-logins.ts');
    const result = await runDiff(context, {
      siteFile: input.options.site,
      lockFile: input.options.lock,
      root: input.options.root,
      runtime: input.options.runtime,
      cluster: input.options.cluster,
      replaceForeign: false,
      skipVerify: input.options['insecure-skip-verify'],
    });
    return hideLoginsIn(result);
  },
});
