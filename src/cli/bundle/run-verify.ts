import { resolve } from 'node:path';
import { examineBundle } from '../../bundle/examine-bundle.ts';
import { openBundleFiles } from '../../bundle/read-bundle.ts';
import type { BundleDifference } from '../../bundle/verify-bundle.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import { alignColumns } from '../columns.ts';
import type { CommandContext, CommandResult } from '../command.ts';

/** Verifies a bundle; only a whole one is also asked whether its parts belong together. */
export async function runBundleVerify(
  context: CommandContext,
  shown: string,
): Promise<CommandResult> {
  const path = resolve(context.environment.cwd, shown);
  await using files = await context.run.step('open', (run) => openBundleFiles(path, run));
  const { identity, differences } = await context.run.step('verify', (run) =>
    examineBundle(files, run),
  );
  if (differences.length > 0) {
    const text = formatDifferences(shown, differences);
    return { json: { bundle: shown, whole: false, differences }, text, negative: true };
  }
  // With bundle.json, which cannot list itself: the numbers that "bundle create" has printed.
  const sizes = [...files.entries.values()].map(({ size }) => size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const size = `${formatCount(sizes.length, 'entry', 'entries')}, ${formatBytes(bytes)}`;
  return {
    json: {
      bundle: shown,
      whole: true,
      identity,
      differences,
      entries: sizes.length,
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
