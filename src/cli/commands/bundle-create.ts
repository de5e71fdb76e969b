import { defineCommand } from '../command.ts';

export const bundleCreateCommand = defineCommand({
  description:
    'Fetches everything that a Lock names and writes it as one bundle: a folder, or one .tar. A run that was stopped goes on where it was; nothing bears the bundle’s name before it is whole.',
  arguments: {
    lock: { kind: 'file', summary: 'the Lock that "slipway plan" wrote', required: true },
  },
  options: {
    output: {
      kind: 'file',
      short: 'o',
      value: 'BUNDLE',
      summary: 'a folder, or a file that ends in .tar; default: named as the Lock is, NAME.bundle',
    },
    policy: {
      kind: 'file',
      value: 'POLICY',
      summary: 'the SourcePolicy with addresses and logins of the sources',
    },
    'own-use': {
      kind: 'flag',
      summary: 'include what may not be given to others; the bundle says so',
    },
  },
  examples: [
    {
      run: 'slipway bundle create openfuyao.lock.yaml --policy policy.yaml -o openfuyao.tar',
      does: 'Make one file to carry away',
    },
  ],
  async run(context, input) {
    const { runBundleCreate } = await import('../bundle/run-create.ts');
    return runBundleCreate(context, {
      lockFile: input.arguments.lock,
      output: input.options.output,
      policyFile: input.options.policy,
      isOwnUse: input.options['own-use'],
    });
  },
});
