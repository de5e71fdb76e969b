import { defineCommand } from '../command.ts';
import { nodeOptions } from '../node/node-options.ts';

export const mirrorsWriteCommand = defineCommand({
  description:
    'Writes the files that make the container runtime of a node pull every image of a Lock from the registries of a Site, and from nowhere else where the Site is offline. The result is read back as the runtime reads it; a second run changes nothing. Files that somebody else wrote are left alone. "slipway mirrors apply --undo" takes it back.',
  arguments: {},
  options: {
    site: { kind: 'file', value: 'SITE', summary: 'the Site', required: true },
    lock: {
      kind: 'file',
      value: 'LOCK',
      summary: 'the Lock, or a bundle with it; default: the only *.lock.yaml in this folder',
    },
    root: nodeOptions.root,
    runtime: nodeOptions.runtime,
    cluster: nodeOptions.cluster,
    replace: {
      kind: 'flag',
      summary: 'replace files that somebody else wrote; a copy stays beside each',
    },
    'insecure-skip-verify': {
      kind: 'flag',
      summary:
        'nodes check no certificate of registries whose Site entry says insecureSkipVerify; reported always',
    },
    'dry-run': { kind: 'flag', summary: 'show what would be written, and write nothing' },
  },
  examples: [
    { run: 'slipway mirrors write --site site.yaml --root /', does: 'Set up the node you are on' },
    {
      run: 'slipway mirrors write --site site.yaml --root /mnt/node-1 --runtime containerd@1.7.20 --dry-run',
      does: 'See what another node would get',
    },
  ],
  async run(context, input) {
    const { runWrite } = await import('../mirrors/run-write.ts');
    const { hideLoginsIn } = await import('../mirrors/hide-logins.ts');
    const result = await runWrite(context, {
      siteFile: input.options.site,
      lockFile: input.options.lock,
      root: input.options.root,
      runtime: input.options.runtime,
      cluster: input.options.cluster,
      replaceForeign: input.options.replace,
      skipVerify: input.options['insecure-skip-verify'],
      dryRun: input.options['dry-run'],
    });
    return hideLoginsIn(result);
  },
});
