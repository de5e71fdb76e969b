import { defineCommand } from '../command.ts';

export const doctorCommand = defineCommand({
  description:
    'Looks at local facts only (Node, memory, disk, limits, clock, loopback, proxies, logins) and sends nothing anywhere.',
  arguments: {},
  options: {
    folder: {
      kind: 'folder',
      value: 'DIR',
      summary: 'the folder in which bundles will lie; default: this one',
    },
  },
  examples: [
    { run: 'slipway doctor', does: 'Check this machine before the first use' },
    {
      run: 'slipway doctor --folder /srv/bundles --json',
      does: 'Check another folder, for a script',
    },
  ],
  exits: { 1: 'a check failed; warnings alone do not count' },
  async run({ environment, run, terminal }, input) {
    const { examine, formatFindings } = await import('../doctor/examine.ts');
    const folder = input.options.folder ?? environment.cwd;
    const findings = await examine({ environment, folder }, run);
    const negative = findings.some((finding) => finding.status === 'fail');
    return {
      json: { ready: !negative, checks: findings },
      text: formatFindings(findings, terminal.paint),
      negative,
    };
  },
});
