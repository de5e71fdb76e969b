import { defineCommand } from '../command.ts';
import { editOptions, editOrder } from '../mirrors/edit-options.ts';

export const mirrorsAddCommand = defineCommand({
  description:
    'Makes a node pull the images of one registry from somewhere else, without a Site. All other rules of the node stay as they are; a rule for the same registry is replaced. The registry itself is asked no more, unless --fallback is given.',
  arguments: {
    registry: {
      kind: 'text',
      summary:
        'the registry as images name it, with a path if the runtime can tell paths apart; * for every other one',
      required: true,
    },
  },
  options: {
    to: {
      kind: 'text',
      value: 'HOST[:PORT][/PATH]',
      many: true,
      required: true,
      summary: 'where the images are found; several are asked in this order',
    },
    ca: { kind: 'file', value: 'FILE', summary: 'authorities to trust there, as PEM' },
    login: {
      kind: 'file',
      value: 'FILE',
      summary: 'a file with username= and password= for it; goes only into files for root',
    },
    fallback: { kind: 'flag', summary: 'ask the registry itself last' },
    'insecure-skip-verify': {
      kind: 'flag',
      summary: 'check no certificate there; reported always',
    },
    ...editOptions,
  },
  examples: [
    {
      run: 'slipway mirrors add docker.io --to harbor.example:5000/hub --ca ca.pem --runtime containerd@2.1.1',
      does: 'Pull what is on Docker Hub from a project of a Harbor',
    },
  ],
  async run(context, input) {
    const { runAdd } = await import('../mirrors/run-edit.ts');
    const { options } = input;
    const { hideLoginsIn } = await import('../mirrors/hide-logins.ts');
    const result = await runAdd(context, {
      ...editOrder(options),
      registry: input.arguments.registry,
      to: options.to,
      caFile: options.ca,
      loginFile: options.login,
      fallback: options.fallback,
      skipVerify: options['insecure-skip-verify'],
    });
    return hideLoginsIn(result);
  },
});
