import type { WriteAction } from '../../mirrors/write/plan-write.ts';
import type { MirrorsReport } from '../../mirrors/write/write-mirrors.ts';
import { formatCount } from '../../shared/quantities.ts';
import { alignColumns } from '../columns.ts';

/** A finished write, or the plan of one. */
export interface WriteView {
  readonly report: MirrorsReport;
  readonly order: { readonly root: string; readonly dryRun: boolean };
  /** `containerd@2.1.1`. */
  readonly runtime: string;
  readonly next: string;
}

/** The answer first, then each file with its reason, what to know, and the next command (ux.md). */
export function formatWrite({ report, order, runtime, next }: WriteView): string {
  const rows = rowsOf(report.actions);
  return [
    headline(report, order, runtime),
    '',
    ...alignColumns(rows).map((line) => `  ${line}`),
    '',
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...reloadLines(report, order.dryRun, runtime),
    `next: ${next}`,
  ].join('\n');
}

/** Kept files of one reason beyond this many are only counted; `--json` has them all. */
const MOST_KEPT = 5;

function rowsOf(actions: readonly WriteAction[]): readonly (readonly string[])[] {
  const kept = new Map<string, number>();
  const rows = actions.flatMap((action) => {
    const reason = reasonOf(action);
    if (action.do === 'keep') {
      const count = (kept.get(reason) ?? 0) + 1;
      kept.set(reason, count);
      if (count > MOST_KEPT) return [];
    }
    return [[action.do, action.path, reason]];
  });
  const folded = [...kept].filter(([, count]) => count > MOST_KEPT);
  return [
    ...rows,
    ...folded.map(([reason, count]) => [
      'keep',
      `and ${formatCount(count - MOST_KEPT, 'more file')}`,
      reason,
    ]),
  ];
}

function headline(
  { actions }: MirrorsReport,
  { root, dryRun }: WriteView['order'],
  runtime: string,
): string {
  const changes = actions.filter((action) => action.do !== 'keep').length;
  const subject = `the rules of ${runtime} below ${root}`;
  if (changes === 0) return `${subject} are as they should be; nothing was changed`;
  const files = formatCount(changes, 'file');
  return dryRun
    ? `${subject} need ${files} changed; nothing was written yet`
    : `${subject} are in place and read back: ${files} changed`;
}

function reasonOf(action: WriteAction): string {
  if (action.do !== 'replace' && action.do !== 'change') return action.because;
  return `${action.because}; the old file stays as ${action.backup}`;
}

/** R0-31: some files are read at every pull, others only when the runtime starts. */
function reloadLines(
  { reloads, actions }: MirrorsReport,
  dryRun: boolean,
  runtime: string,
): readonly string[] {
  const when = dryRun ? 'afterwards' : 'now';
  if (reloads.length > 0) {
    return reloads.map(({ command, because }) => `${when}: ${command}   (${because})`);
  }
  const [name] = runtime.split('@');
  return actions.every((action) => action.do === 'keep')
    ? [`${name} needs no restart`]
    : [`${name} needs no restart: it reads these files at every pull`];
}
