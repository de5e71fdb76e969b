import { defineCommand } from '../command.ts';
import { nodeOptions } from '../node/node-options.ts';

export const mirrorsExplainCommand = defineCommand({
  description:
    'Says where a node pulls an image from: every request in order, which line of which file causes it, whom it trusts and how it logs in there, what happens when each place answers or fails, and whether anything can leave the site. Reads files only and sends nothing. DIR may also be a single file, or a folder of configuration without its node.',
  arguments: {
    image: { kind: 'text', summary: 'the image as pods name it', required: true },
  },
  options: {
    root: {
      kind: 'folder',
      value: 'DIR',
      summary:
        'the root of a node, a folder of its configuration such as certs.d, or one file such as registries.yaml; default: this machine',
      default: '/',
    },
    runtime: {
      kind: 'text',
      value: 'NAME[@VERSION]',
      summary:
        'the container runtime; without a version, where its versions differ is shown; default: what the Site and the Lock say, or what the files are for',
    },
    site: { kind: 'file', value: 'SITE', summary: 'the Site, which says what is inside of it' },
    lock: {
      kind: 'file',
      value: 'LOCK',
      summary: 'the Lock, or a bundle with it, for the version of the runtime',
    },
    cluster: nodeOptions.cluster,
    answer: {
      kind: 'text',
      value: 'HOST=ANSWER',
      many: true,
      summary: 'assume what a host answers: a status such as 503, refused, plain-http or tls',
    },
  },
  examples: [
    {
      run: 'slipway mirrors explain registry.k8s.io/pause:3.9 --runtime containerd@2.1.1 --root /etc/containerd/certs.d',
      does: 'See where the sandbox image comes from',
    },
    {
      run: 'slipway mirrors explain nginx --runtime containerd --root hosts.toml --answer harbor.example=503',
      does: 'See what one file does on every version while the mirror is broken',
    },
  ],
  exits: { 1: 'the image cannot be pulled, or would leave an offline Site' },
  async run(context, input) {
    const { runExplain } = await import('../mirrors/run-explain.ts');
    const { options } = input;
    const { hideLoginsIn } = await import('../mirrors/hide-logins.ts');
    const result = await runExplain(context, {
      image: input.arguments.image,
      root: options.root,
      runtime: options.runtime,
      siteFile: options.site,
      lockFile: options.lock,
      cluster: options.cluster,
      answers: options.answer,
    });
    return hideLoginsIn(result);
  },
});
