import { hideSecretsIn } from '../../mirrors/diff/hide-secrets.ts';
import type { Reload } from '../../mirrors/runtime-rules.ts';
import type { FileDiff } from '../../mirrors/write/diff-files.ts';
import type { WriteAction } from '../../mirrors/write/plan-write.ts';
import type { MirrorsReport } from '../../mirrors/write/write-mirrors.ts';
import { formatCount } from '../../shared/quantities.ts';
import { alignColumns } from '../columns.ts';

/** A finished write, or the plan of one. */
export interface WriteView {
  readonly report: MirrorsReport;
  readonly order: {
    readonly root: string;
    readonly dryRun: boolean;
    /** Commands that were run already, so that nobody has to. */
    readonly reloaded?: readonly string[];
    /** True where one rule was changed, so that files which stay say nothing. */
    readonly hidesKept?: boolean;
    /** True when no rule shall be left. */
    readonly isOff?: boolean;
    /** What changes in the files of a dry run. */
    readonly files?: readonly FileDiff[];
  };
  /** `containerd@2.1.1`. */
  readonly runtime: string;
  readonly next: string | undefined;
}

/** The answer first, then each file with its reason, what to know, and the next command (ux.md). */
export function formatWrite({ report, order, runtime, next }: WriteView): string {
  const shown = report.actions.filter((action) => !(order.hidesKept && action.do === 'keep'));
  const rows = rowsOf(shown);
  return [
    headline(report, order, runtime),
    '',
    ...(rows.length === 0 ? [] : [...alignColumns(rows).map((line) => `  ${line}`), '']),
    ...(order.files === undefined ? [] : [...changeLines(order.files), '']),
    ...report.warnings.map((warning) => `warning: ${warning}`),
    ...report.notes.map((note) => `note: ${note}`),
    ...reloadWords({ report, order, runtime }),
    ...(next === undefined ? [] : [`next: ${next}`]),
  ].join('\n');
}

/** One unified diff for each file that changes. */
export function changeLines(files: readonly FileDiff[]): readonly string[] {
  const changed = files.filter((file) => file.do !== 'keep');
  const blocks = changed.map((file) => [`# ${file.do}: ${file.because}`, ...file.lines]);
  return blocks.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}

/** The actions with the text of each file, and none of its secrets, for `--json`. */
export function shownActions(actions: readonly WriteAction[]): readonly object[] {
  const shown = (text: string) => hideSecretsIn(text.split('\n')).join('\n');
  return actions.map((action) => {
    if ('content' in action) return { ...action, content: shown(action.content) };
    if (action.do !== 'restore') return action;
    const { bytes, ...restored } = action;
    return { ...restored, content: shown(Buffer.from(bytes).toString('utf8')) };
  });
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
  { root, dryRun, isOff = false }: WriteView['order'],
  runtime: string,
): string {
  const changes = actions.filter((action) => action.do !== 'keep').length;
  if (isOff) return offHeadline(changes, root, dryRun);
  const subject = `the rules of ${runtime} below ${root}`;
  if (changes === 0) return `${subject} are as they should be; nothing was changed`;
  const files = formatCount(changes, 'file');
  return dryRun
    ? `${subject} need ${files} changed; nothing was written yet`
    : `${subject} are in place and read back: ${files} changed`;
}

function offHeadline(changes: number, root: string, dryRun: boolean): string {
  if (changes === 0) return `Slipway wrote nothing below ${root}; nothing was changed`;
  const files = formatCount(changes, 'file');
  return dryRun
    ? `switching off needs ${files} below ${root} changed; nothing was written yet`
    : `no rule of Slipway is left below ${root}: ${files} changed`;
}

function reasonOf(action: WriteAction): string {
  if (action.do !== 'replace' && action.do !== 'change') return action.because;
  return `${action.because}; the old file stays as ${action.backup}`;
}

/** R0-31: some files are read at every pull, others only when the runtime starts. */
function reloadWords({ report, order, runtime }: Omit<WriteView, 'next'>): readonly string[] {
  const { reloads, actions } = report;
  const { dryRun, reloaded = [] } = order;
  if (reloads.length > 0) {
    return reloadLines({
      reloads,
      reloaded,
      when: dryRun ? 'afterwards' : 'now',
      root: order.root,
    });
  }
  const [name] = runtime.split('@');
  return actions.every((action) => action.do === 'keep')
    ? [`${name} needs no restart`]
    : [`${name} needs no restart: it reads these files at every pull`];
}

/** What makes the runtime take the change: done already, or the command for a person. */
export function reloadLines({
  reloads,
  reloaded,
  when,
  root,
}: {
  readonly reloads: readonly Reload[];
  readonly reloaded: readonly string[];
  readonly when: 'now' | 'afterwards';
  /** Of the node; the command is for that one and not for the machine on which this runs. */
  readonly root: string;
}): readonly string[] {
  return reloads.map(({ command, because }) => {
    // talosctl runs anywhere but on the node.
    const isHere = root === '/' || command.startsWith('talosctl ');
    const then = isHere ? when : `on the node, ${when}`;
    const done = reloaded.includes(command) ? 'done' : then;
    return `${done}: ${command}   (${because})`;
  });
}
