import { directoryTree } from '../../mirrors/directory-tree.ts';
import { openRuntime } from '../../mirrors/open-runtime.ts';
import type { Reload } from '../../mirrors/runtime-rules.ts';
import { type Undone, undoLastChange } from '../../mirrors/write/change-node.ts';
import { STATE_FOLDER } from '../../mirrors/write/last-change.ts';
import { systemDisk } from '../../mirrors/write/node-disk.ts';
import { readNodeRecord } from '../../mirrors/write/node-record.ts';
import { writeMirrors } from '../../mirrors/write/write-mirrors.ts';
import { formatCount } from '../../shared/quantities.ts';
import { formatRuntimeId, parseRuntimeId } from '../../site/runtime-id.ts';
import { alignColumns } from '../columns.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { OptionMissing, OptionValueInvalid } from '../errors.ts';
import { nodeRoot } from '../node/node-root.ts';
import { findRewriteRecord } from '../prove/proof-commands.ts';
import { runReloads } from './run-reloads.ts';
import { proveCommand } from './run-write.ts';
import { type SiteOrder, siteRequest } from './site-rules.ts';
import { formatWrite, reloadLines, shownActions } from './write-view.ts';

/** What the user asked for. */
export interface ApplyOrder extends Omit<SiteOrder, 'siteFile'> {
  readonly siteFile: string | undefined;
  readonly undo: boolean;
  readonly reload: boolean;
}

/** Sets this machine up as the Site and the Lock say, or takes the last change of it back. */
export async function runApply(context: CommandContext, order: ApplyOrder): Promise<CommandResult> {
  refuseReloadElsewhere('mirrors apply', order);
  if (order.undo) return runUndo(context, order);
  const { siteFile } = order;
  if (siteFile === undefined) {
    const summary = 'the Site, or --undo to take the last change back';
    throw new OptionMissing({ command: 'mirrors apply', option: '--site', summary });
  }
  const { request, runtime, lockFile, lock, warnings } = await siteRequest(context, {
    ...order,
    siteFile,
  });
  const written = await context.run.step('mirrors', (run) =>
    writeMirrors({ ...request, dryRun: false }, run),
  );
  const reloaded = await reloadIfAsked(context, order, written.reloads);
  const report = { ...written, warnings: [...written.warnings, ...warnings] };
  const name = formatRuntimeId(runtime);
  const rewritten = await findRewriteRecord(context, lockFile, lock.metadata.name);
  const next = proveCommand({ siteFile, root: order.root }, { lockFile, runtime: name, rewritten });
  const hidesKept = context.isQuiet;
  const view = { root: order.root, dryRun: false, reloaded, hidesKept };
  return {
    json: {
      root: order.root,
      runtime: name,
      ...report,
      actions: shownActions(report.actions),
      reloaded,
      next,
    },
    text: formatWrite({ report, order: view, runtime: name, next }),
  };
}

/** Restarting this machine's runtime for a folder that holds another node helps nobody. */
export function refuseReloadElsewhere(
  command: string,
  { reload, root }: { readonly reload: boolean; readonly root: string },
): void {
  if (!reload || root === '/') return;
  const because = 'restarts the runtime of this machine, so it goes with --root / only';
  throw new OptionValueInvalid({ command, option: '--reload', because });
}

/** Runs the reloads with `--reload`; gives the commands that were run. */
export async function reloadIfAsked(
  context: CommandContext,
  { reload }: { readonly reload: boolean },
  reloads: readonly Reload[],
): Promise<readonly string[]> {
  // A word in capitals is for a person to fill in: talosctl … --nodes NODE.
  const ready = reloads.filter(({ command }) => !/\b[A-Z]{3,}\b/.test(command));
  if (!reload || ready.length === 0) return [];
  return context.run.step('reload', (run) => runReloads(ready, run.signal));
}

async function runUndo(context: CommandContext, order: ApplyOrder): Promise<CommandResult> {
  if (order.runtime !== undefined) parseRuntimeId(order.runtime);
  const root = await nodeRoot(order.root, context);
  const before = await runtimeOf(root, order.runtime);
  const undone = await context.run.step('undo', () =>
    undoLastChange(root, systemDisk, order.replaceForeign ? 'replace edited' : 'refuse edited'),
  );
  const runtime = before ?? (await runtimeOf(root, undefined));
  const reloads = runtime === undefined ? [] : await reloadsFor(runtime, undone);
  const reloaded = await reloadIfAsked(context, order, reloads);
  const files = undone.filter(({ path }) => !path.startsWith(STATE_FOLDER));
  return {
    json: { root: order.root, runtime: runtime ?? null, undone: files, reloads, reloaded },
    text: [
      undoneHeadline(order.root, files.length),
      '',
      ...alignColumns(files.map(undoneRow)).map((row) => `  ${row}`),
      '',
      ...reloadLines({ reloads, reloaded, when: 'now', root: order.root }),
    ]
      .join('\n')
      .trimEnd(),
  };
}

function undoneRow({ path, did, copy }: Undone[number]): readonly string[] {
  return [did, path, copy === undefined ? '' : `what was edited is kept in ${copy}`];
}

/** Files that are as they were already, by whatever way, need nothing. */
function undoneHeadline(root: string, files: number): string {
  return files === 0
    ? `there was nothing to take back below ${root}: the files are as they were before the last change`
    : `the last change below ${root} is taken back: ${formatCount(files, 'file')}`;
}

/** By the record of the node, while it is there. */
async function runtimeOf(root: string, typed: string | undefined): Promise<string | undefined> {
  if (typed !== undefined) return typed;
  return (await readNodeRecord(directoryTree(root)))?.runtime;
}

async function reloadsFor(runtime: string, undone: Undone): Promise<readonly Reload[]> {
  const rules = await openRuntime(parseRuntimeId(runtime));
  const files = undone.filter(({ path }) => !isOwn(path));
  const found = files.flatMap(({ path, did }) => rules.reloadFor(path, did === 'removed') ?? []);
  return [...new Map(found.map((reload) => [reload.command, reload])).values()];
}

/** What Slipway keeps for itself is read by no runtime. */
function isOwn(path: string): boolean {
  return path.startsWith(STATE_FOLDER) || /\.before-slipway(?:\.\d+)?$/.test(path);
}
