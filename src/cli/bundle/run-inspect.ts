import { resolve } from 'node:path';
import { filePath } from '../../bundle/contents.ts';
import { openBundle } from '../../bundle/open-bundle.ts';
import type { Lock } from '../../release/lock.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import { alignColumns } from '../columns.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { shortDigest } from '../plan/plan-notes.ts';

/** Lists what a bundle holds; nothing is verified, and the text says so. */
export async function runBundleInspect(
  context: CommandContext,
  shown: string,
): Promise<CommandResult> {
  const path = resolve(context.environment.cwd, shown);
  await using bundle = await context.run.step('open', (run) => openBundle(path, run));
  const { lock, manifest } = bundle;
  const { files: _, ...about } = manifest;
  return { json: { bundle: shown, ...about, lock }, text: formatBundle(shown, lock, manifest) };
}

function formatBundle(
  shown: string,
  { metadata, spec }: Lock,
  { purpose, tool }: { readonly purpose: string; readonly tool: { readonly version: string } },
): string {
  const { images, charts, files, uniqueBytes } = spec.totals;
  const counts = [
    formatCount(images, 'image'),
    formatCount(charts, 'chart'),
    formatCount(files, 'file'),
    formatBytes(uniqueBytes),
  ].join(', ');
  const rows = [
    ...spec.images.map(({ name, target, platforms, sparse }) => [
      name,
      shortDigest(target.digest),
      platforms.map(({ platform }) => platform).join(', ') +
        (sparse ? '  (a part of its index)' : ''),
    ]),
    ...spec.charts.map(({ name, manifest }) => [name, shortDigest(manifest.digest), 'chart']),
    ...spec.files.map((file) => [
      filePath(file),
      shortDigest(file.blob.digest),
      `mode ${file.mode}`,
    ]),
  ];
  const use = purpose === 'own-use' ? 'for own use only' : 'may be given to others';
  return [
    `${shown}: ${metadata.name} ${metadata.version} for ${spec.platforms.join(', ')}: ${counts}`,
    `made by slipway ${tool.version}; ${use}; not verified here`,
    '',
    ...alignColumns(rows).map((line) => `  ${line}`),
  ].join('\n');
}
