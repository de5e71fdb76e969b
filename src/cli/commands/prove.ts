import { defineCommand } from '../command.ts';
import { nodeOptions } from '../node/node-options.ts';

export const proveCommand = defineCommand({
  description:
    'Reads the configuration of a node, computes every request that its container runtime would send for the images of a Lock, and sends them: tags, digests, manifests, every blob. With an offline Site it also fails where a pull could leave the Site. Nothing on the node is changed, and the node need not run.',
  arguments: {
    lock: {
      kind: 'file',
      summary: 'the Lock that "slipway plan" wrote, or a bundle with it',
      required: true,
    },
  },
  options: {
    root: nodeOptions.root,
    site: {
      kind: 'file',
      value: 'SITE',
      summary: 'the Site; without it no host is forbidden',
    },
    runtime: nodeOptions.runtime,
    cluster: nodeOptions.cluster,
    platform: {
      kind: 'text',
      value: 'OS/ARCH',
      many: true,
      summary: 'the platform of the node; default: all of the Lock',
    },
    deep: { kind: 'flag', summary: 'download and hash every blob instead of asking for it' },
    from: {
      kind: 'choice',
      value: 'PLACE',
      choices: ['host', 'nodes'],
      default: 'host',
      summary:
        'where this runs: at the addresses that the Site gives for this machine, or as nodes',
    },
    node: {
      kind: 'text',
      value: 'NAME',
      summary: 'what the report calls the node; default: the last part of DIR',
    },
    'my-logins-as-pull-secrets': {
      kind: 'flag',
      summary: 'offer the logins of this user (docker, podman) as pull secrets of the cluster',
    },
    rewritten: {
      kind: 'file',
      value: 'FILE',
      summary: 'the digests that "slipway load --rewrite-indexes" changed, as it recorded them',
    },
    report: { kind: 'file', value: 'FILE', summary: 'write the whole report as JSON' },
  },
  examples: [
    {
      run: 'slipway prove openfuyao.lock.yaml --site site.yaml --root /',
      does: 'Prove the node you are on',
    },
    {
      run: 'slipway prove openfuyao.lock.yaml --site site.yaml --root /mnt/node-1 --runtime containerd@2.1.1 --deep --report node-1.json',
      does: 'Prove another node to the last byte, and keep the report',
    },
  ],
  exits: { 1: 'an image is not proven' },
  async run(context, input) {
    const { runProve } = await import('../prove/run-prove.ts');
    const { options } = input;
    return runProve(context, {
      lockFile: input.arguments.lock,
      root: options.root,
      siteFile: options.site,
      runtime: options.runtime,
      cluster: options.cluster,
      platforms: options.platform,
      deep: options.deep,
      // The parser has let only these two through.
      from: options.from === 'nodes' ? 'nodes' : 'host',
      nodeName: options.node,
      usesLogins: options['my-logins-as-pull-secrets'],
      rewrittenFile: options.rewritten,
      reportFile: options.report,
    });
  },
});
