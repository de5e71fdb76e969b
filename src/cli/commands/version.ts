import { defineCommand } from '../command.ts';
import { readVersion } from '../version.ts';

export const versionCommand = defineCommand({
  arguments: {},
  options: {},
  isInstant: true,
  examples: [{ run: 'slipway --version', does: 'Print the version' }],
  async run() {
    const version = await readVersion();
    const { node } = process.versions;
    const platform = `${process.platform}/${process.arch}`;
    return { json: { version, node, platform }, text: version };
  },
});
