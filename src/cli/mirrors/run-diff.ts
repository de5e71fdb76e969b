import { directoryTree } from '../../mirrors/directory-tree.ts';
import { diffFiles, type FileDiff } from '../../mirrors/write/diff-files.ts';
import type { WriteAction } from '../../mirrors/write/plan-write.ts';
import { type MirrorsReport, writeMirrors } from '../../mirrors/write/write-mirrors.ts';
import { formatCount } from '../../shared/quantities.ts';
import { formatRuntimeId } from '../../site/runtime-id.ts';
import { alignColumns } from '../columns.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { againCommand } from './run-write.ts';
import { type SiteOrder, siteRequest } from './site-rules.ts';
import { changeLines, reloadLines } from './write-view.ts';

/** Shows what `mirrors apply` would change on a node, file by file. */
export async function runDiff(context: CommandContext, order: SiteOrder): Promise<CommandResult> {
  const { request, runtime, lockFile, warnings } = await siteRequest(context, order);
  // Files of others are shown as they would become; that it needs --replace is said.
  const planned = await context.run.step('mirrors', (run) =>
    writeMirrors({ ...request, replaceForeign: true, dryRun: true }, run),
  );
  const files = await diffFiles(directoryTree(request.root), planned.actions);
  const report = { ...planned, warnings: [...planned.warnings, ...warnings] };
  const replaced = planned.actions.some(needsReplace);
  const again = { ...order, replaceForeign: order.replaceForeign || replaced };
  const name = formatRuntimeId(runtime);
  const isSame = files.every((file) => file.do === 'keep');
  const next = isSame ? undefined : againCommand(again, { lockFile, runtime: name }, 'apply');
  const { reloads } = report;
  const view = { files, report, root: order.root, runtime: name, next };
  return {
    json: {
      root: order.root,
      runtime: name,
      files,
      reloads,
      warnings: report.warnings,
      notes: report.notes,
      next: next ?? null,
    },
    text: formatDiff(view),
    negative: !isSame,
  };
}

function needsReplace(action: WriteAction): boolean {
  return action.do === 'replace' || action.do === 'change';
}

interface DiffView {
  readonly files: readonly FileDiff[];
  readonly report: Pick<MirrorsReport, 'reloads' | 'warnings' | 'notes'>;
  readonly root: string;
  readonly runtime: string;
  readonly next: string | undefined;
}

/** The answer first, then one unified diff for each file that changes, then those that stay (ux.md). */
export function formatDiff({ files, report, root, runtime, next }: DiffView): string {
  const changes = changeLines(files);
  const changed = files.filter((file) => file.do !== 'keep');
  const kept = files.filter((file) => file.do === 'keep');
  const subject = `the rules of ${runtime} below ${root}`;
  const headline =
    changed.length === 0
      ? `${subject} are as they should be`
      : `${subject} would change in ${formatCount(changed.length, 'file')}`;
  const rows = alignColumns(kept.map((file) => ['keep', file.path, file.because]));
  return [
    headline,
    ...(changes.length === 0 ? [] : ['', ...changes]),
    '',
    ...(rows.length === 0 ? [] : [...rows.map((row) => `  ${row}`), '']),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...report.notes.map((note) => `note: ${note}`),
    ...reloadLines({ reloads: report.reloads, reloaded: [], when: 'afterwards', root }),
    ...(next === undefined ? [] : [`next: ${next}`]),
  ]
    .join('\n')
    .trimEnd();
}
