import { defineCommand } from '../command.ts';

export const planCommand = defineCommand({
  description:
    'Asks the registries where every image, chart and file of a Release is, and writes the answer as a Lock: by digest and size, for every platform. Everything that is missing or forbidden is named at once.',
  arguments: {
    documents: {
      kind: 'file',
      summary: 'files with one Release and at most one SourcePolicy; - is standard input',
      required: true,
      many: true,
    },
  },
  options: {
    output: {
      kind: 'file',
      short: 'o',
      value: 'LOCK',
      summary: 'the Lock to write; default: NAME.lock.yaml in this folder',
    },
    offline: {
      kind: 'flag',
      summary: 'ask nobody; take everything from the Lock that is there already',
    },
    site: {
      kind: 'file',
      value: 'FILE',
      many: true,
      summary: 'refuse what the registries of this Site could not keep apart',
    },
  },
  examples: [
    { run: 'slipway plan release.yaml policy.yaml', does: 'Lock a Release' },
    {
      run: 'slipway plan release.yaml policy.yaml --offline',
      does: 'Plan again without a network, from the earlier Lock',
    },
  ],
  async run(context, input) {
    const { runPlan } = await import('../plan/run-plan.ts');
    return runPlan(context, {
      files: input.arguments.documents,
      output: input.options.output,
      isOffline: input.options.offline,
      siteFiles: input.options.site,
    });
  },
});
