import { defineCommand } from '../command.ts';
import { nodeOptions } from '../node/node-options.ts';

export const mirrorsApplyCommand = defineCommand({
  description:
    'Sets this machine up to pull from the registries of a Site, as "slipway mirrors write" does for any root. --undo takes the last change back to the last byte, also one that was cut off, and refuses where somebody edited a file since, unless --replace is given.',
  arguments: {},
  options: {
    site: { kind: 'file', value: 'SITE', summary: 'the Site; needed without --undo' },
    lock: {
      kind: 'file',
      value: 'LOCK',
      summary: 'the Lock, or a bundle with it; default: the only *.lock.yaml in this folder',
    },
    undo: { kind: 'flag', summary: 'take the last change of apply, write, add or remove back' },
    reload: {
      kind: 'flag',
      summary:
        'run what makes the runtime take the change, such as a restart; else it is only said',
    },
    root: nodeOptions.rootHere,
    runtime: nodeOptions.runtime,
    cluster: nodeOptions.cluster,
    replace: {
      kind: 'flag',
      summary:
        'replace files that somebody else wrote; a copy stays beside each. With --undo: those edited since, with a copy in /var/lib/slipway/mirrors',
    },
    'insecure-skip-verify': {
      kind: 'flag',
      summary:
        'nodes check no certificate of registries whose Site entry says insecureSkipVerify; reported always',
    },
  },
  examples: [
    {
      run: 'slipway mirrors apply --site site.yaml --reload',
      does: 'Set this machine up and restart its runtime if that is needed',
    },
    { run: 'slipway mirrors apply --undo', does: 'Take the last change back' },
  ],
  async run(context, input) {
    const { runApply } = await import('../mirrors/run-apply.ts');
    const { options } = input;
    const { hideLoginsIn } = await import('../mirrors/hide-logins.ts');
    const result = await runApply(context, {
      siteFile: options.site,
      lockFile: options.lock,
      undo: options.undo,
      reload: options.reload,
      root: options.root,
      runtime: options.runtime,
      cluster: options.cluster,
      replaceForeign: options.replace,
      skipVerify: options['insecure-skip-verify'],
    });
    return hideLoginsIn(result);
  },
});
