import { defineCommand } from '../command.ts';

export const mirrorsLintCommand = defineCommand({
  description:
    'Reads files that say where a runtime pulls from as that runtime reads them, and names what is wrong or surprising in them, with line and remedy: hosts.toml and certs.d, config.toml, registries.yaml of k3s and RKE2, registries.conf, daemon.json, machine configurations of Talos; in manifests and lists the names of images, which are also looked up in the rules beside them; in shell scripts checks that cannot fail. A file tells its runtime by its name and text. Without a version every line of releases is looked at. --fix makes the changes that have no other effect; a copy of each file stays beside it.',
  arguments: {
    path: { kind: 'file', summary: 'files, and folders to search', many: true },
  },
  options: {
    root: {
      kind: 'folder',
      value: 'DIR',
      summary: 'a whole node: / on the node itself, or a folder that holds its root',
    },
    runtime: {
      kind: 'text',
      value: 'NAME[@VERSION]',
      summary: 'the container runtime; default: what the Site says, or what the files are for',
    },
    offline: {
      kind: 'flag',
      summary: 'nothing may leave the site: a registry that is asked after its mirrors is an error',
    },
    site: { kind: 'file', value: 'SITE', summary: 'the Site, which says whether it is offline' },
    lock: {
      kind: 'file',
      value: 'LOCK',
      summary:
        'the Lock: its images are looked up in the rules, with a Site also in the names that its registries publish',
    },
    format: {
      kind: 'choice',
      value: 'FORMAT',
      choices: ['text', 'json', 'sarif'],
      default: 'text',
      summary:
        'how findings are printed: for people, as --json does, or as SARIF 2.1.0 for code scanning',
    },
    fix: { kind: 'flag', summary: 'make the changes that are safe' },
    'dry-run': { kind: 'flag', summary: 'show what --fix would change, and change nothing' },
  },
  examples: [
    {
      run: 'slipway mirrors lint registries.yaml',
      does: 'Check one file before it goes to a node',
    },
    {
      run: 'slipway mirrors lint certs.d --offline --fix --dry-run',
      does: 'See what could be mended in a folder of an offline site',
    },
    {
      run: 'slipway mirrors lint registries.yaml images.txt --lock release.lock.yaml --site site.yaml',
      does: 'See whether the images of a release are found by these rules in the registry of the Site',
    },
    {
      run: 'slipway mirrors lint --root / --runtime containerd@2.1.1 --format sarif',
      does: 'Check the node you are on, for a program to read',
    },
  ],
  exits: { 1: 'at least one error was found' },
  async run(context, input) {
    const { runLint } = await import('../mirrors/run-lint.ts');
    const { options } = input;
    const { hideLoginsIn } = await import('../mirrors/hide-logins.ts');
    const result = await runLint(context, {
      paths: input.arguments.path,
      root: options.root,
      runtime: options.runtime,
      offline: options.offline,
      siteFile: options.site,
      lockFile: options.lock,
      asSarif: options.format === 'sarif',
      fix: options.fix || options['dry-run'],
      dryRun: options['dry-run'],
    });
    return hideLoginsIn(result);
  },
});
