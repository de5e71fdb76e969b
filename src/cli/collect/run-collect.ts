import { resolve } from 'node:path';
import type { GarbageReport } from '../../content/garbage.ts';
import { collectRegistry } from '../../registry/server/collect-registry.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { shellLine } from '../shell-line.ts';

/** What the user asked for. */
export interface CollectOrder {
  readonly storeFolder: string;
  readonly dryRun: boolean;
}

/** Removes what no image of a registry's folder needs, or says what would be removed. */
export async function runCollect(
  { run, environment, clock }: CommandContext,
  { storeFolder, dryRun }: CollectOrder,
): Promise<CommandResult> {
  const root = resolve(environment.cwd, storeFolder);
  const report = await run.step('collect', (inner) =>
    collectRegistry(root, { dryRun, clock }, inner),
  );
  return {
    json: { store: storeFolder, dryRun, ...report },
    text: formatCollect(report, { storeFolder, dryRun }),
  };
}

function formatCollect(report: GarbageReport, { storeFolder, dryRun }: CollectOrder): string {
  const { keptBlobs, waitingBlobs, removedBlobs, freedBytes } = report;
  const blobs = formatCount(removedBlobs, 'blob');
  const size = formatBytes(freedBytes);
  const stay = `${formatCount(keptBlobs, 'blob')} of images ${keptBlobs === 1 ? 'stays' : 'stay'}`;
  const waiting =
    waitingBlobs === 0
      ? []
      : [
          `  ${formatCount(waitingBlobs, 'blob')} pushed within the last hour ${waitingBlobs === 1 ? 'waits' : 'wait'}: an image may still be on its way`,
        ];
  if (removedBlobs === 0) {
    return [`nothing to free in ${storeFolder}: ${stay}`, ...waiting].join('\n');
  }
  if (!dryRun)
    return [`freed ${size}: ${blobs} that no image needs; ${stay}`, ...waiting].join('\n');
  return [
    `${size} can be freed: ${blobs} that no image needs; ${stay}`,
    ...waiting,
    `next: ${shellLine(['slipway', 'registry', 'gc', '--store', storeFolder])}`,
  ].join('\n');
}
