import { defineCommand } from '../command.ts';

export const loadCommand = defineCommand({
  description:
    'Sends a bundle into a registry of the Site, each image under every name that the Site publishes, each blob once. What is there already is not sent again.',
  arguments: {
    bundle: { kind: 'file', summary: 'the bundle, a folder or .tar', required: true },
  },
  options: {
    site: { kind: 'file', value: 'SITE', summary: 'the Site', required: true },
    registry: {
      kind: 'text',
      value: 'NAME',
      summary: 'which registry of the Site; default: the only one',
    },
    only: {
      kind: 'text',
      value: 'NAME',
      many: true,
      summary: 'only what has this in its name; may be given several times',
    },
    'rewrite-indexes': {
      kind: 'flag',
      summary:
        'where the registry takes no index with missing platforms, write a new one; its digest changes and is reported',
    },
    recheck: {
      kind: 'flag',
      summary: 'ask for every blob again, to repair a registry that has lost some',
    },
  },
  examples: [
    { run: 'slipway load openfuyao.tar --site site.yaml', does: 'Fill the registry of the Site' },
    {
      run: 'slipway load openfuyao.tar --site site.yaml --only etcd --recheck',
      does: 'Repair one image',
    },
  ],
  async run(context, input) {
    const { runLoad } = await import('../load/run-load.ts');
    return runLoad(context, {
      bundlePath: input.arguments.bundle,
      siteFile: input.options.site,
      registryName: input.options.registry,
      only: input.options.only,
      rewritesIndexes: input.options['rewrite-indexes'],
      recheckBlobs: input.options.recheck,
    });
  },
});
