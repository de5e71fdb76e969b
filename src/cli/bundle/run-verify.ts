import { resolve } from 'node:path';
import { openBundle } from '../../bundle/open-bundle.ts';
import { openBundleFiles } from '../../bundle/read-bundle.ts';
import { readIdentified } from '../../bundle/read-manifest.ts';
import { type BundleDifference, verifyBundle } from '../../bundle/verify-bundle.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import { alignColumns } from '../columns.ts';
import type { CommandContext, CommandResult } from '../command.ts';

/** Verifies a bundle; only a whole one is also asked whether its parts belong together. */
export async function runBundleVerify(
  context: CommandContext,
  shown: string,
): Promise<CommandResult> {
  const path = resolve(context.environment.cwd, shown);
  await using files = await openBundleFiles(path);
  const { manifest, identity } = await readIdentified(files);
  const differences = await context.run.step('verify', (run) => verifyBundle(files, manifest, run));
  if (differences.length > 0) {
    const text = formatDifferences(shown, differences);
    return { json: { bundle: shown, whole: false, differences }, text, negative: true };
  }
  await using _ = await openBundle(path);
  const bytes = manifest.files.reduce((sum, file) => sum + file.size, 0);
  const size = `${formatCount(manifest.files.length, 'file')}, ${formatBytes(bytes)}`;
  return {
    json: {
      bundle: shown,
      whole: true,
      identity,
      differences,
      files: manifest.files.length,
      bytes,
    },
    text: `${shown} is whole: ${size}, every digest checked\nidentity ${identity}; compare it with what "bundle create" printed`,
  };
}

function formatDifferences(shown: string, differences: readonly BundleDifference[]): string {
  const rows = differences.map(({ kind, path, detail }) => [kind, path, detail]);
  return [
    `${shown} is not what it was when it was made: ${formatCount(differences.length, 'difference')}`,
    '',
    ...alignColumns(rows).map((line) => `  ${line}`),
    '',
    'do      copy the bundle again from where it was made, then verify it again',
  ].join('\n');
}
