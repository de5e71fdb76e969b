import { defineCommand } from '../command.ts';

export const registryServeCommand = defineCommand({
  description:
    'Serves a bundle in place, read-only and without a copy, or a folder that takes pushes. Without TLS options it speaks plain HTTP. Runs until Ctrl-C or SIGTERM, lets requests under way end, and exits 0. The access log goes to standard error unless --quiet is given.',
  arguments: {},
  options: {
    bundle: { kind: 'file', value: 'BUNDLE', summary: 'the bundle to serve, a folder or .tar' },
    store: {
      kind: 'folder',
      value: 'DIR',
      summary: 'the folder to keep pushed content in; made if it is missing',
    },
    listen: {
      kind: 'text',
      value: 'HOST:PORT',
      default: '127.0.0.1:5000',
      summary:
        'the address to listen on; 0.0.0.0 means every one of this machine, port 0 a free one',
    },
    'tls-cert': { kind: 'file', value: 'FILE', summary: 'certificate chain, PEM' },
    'tls-key': { kind: 'file', value: 'FILE', summary: 'its key, PEM' },
    'tls-self-signed': {
      kind: 'text',
      value: 'NAME',
      many: true,
      summary:
        'make a certificate for this host name or address, signed by an authority of our own',
    },
    'tls-folder': {
      kind: 'folder',
      value: 'DIR',
      default: 'registry-tls',
      summary: 'where that authority is kept: ca.pem for clients, ca-key.pem to be guarded',
    },
    htpasswd: {
      kind: 'file',
      value: 'FILE',
      summary: 'who may log in, made with htpasswd -B; without it nobody has to',
    },
    'anonymous-read': { kind: 'flag', summary: 'pulls need no login, pushes do' },
    'read-only': { kind: 'flag', summary: 'refuse pushes and deletes' },
    site: {
      kind: 'file',
      value: 'SITE',
      summary: 'serve a bundle under the names that this Site publishes; default: keep-path',
    },
    registry: {
      kind: 'text',
      value: 'NAME',
      summary: 'which registry of the Site; default: the only one',
    },
    metrics: { kind: 'flag', summary: 'answer /metrics for Prometheus, without a login' },
  },
  examples: [
    {
      run: 'slipway registry serve --bundle openfuyao.tar',
      does: 'Serve a bundle on this machine, to look into it with any client',
    },
    {
      run: 'slipway registry serve --store /srv/registry --listen 0.0.0.0:443 --tls-self-signed registry.site.example --htpasswd users --anonymous-read',
      does: 'Be the registry of a site',
    },
  ],
  exits: {
    0: 'stopped by Ctrl-C or SIGTERM, after the requests under way',
    130: 'ended at once by a second Ctrl-C',
  },
  async run(context, input) {
    const { runServe } = await import('../serve/run-serve.ts');
    const { options } = input;
    return runServe(context, {
      bundlePath: options.bundle,
      storeFolder: options.store,
      listen: options.listen,
      tlsCertificate: options['tls-cert'],
      tlsKey: options['tls-key'],
      tlsNames: options['tls-self-signed'],
      tlsFolder: options['tls-folder'],
      htpasswdFile: options.htpasswd,
      anonymousRead: options['anonymous-read'],
      isReadOnly: options['read-only'],
      siteFile: options.site,
      registryName: options.registry,
      hasMetrics: options.metrics,
    });
  },
});
