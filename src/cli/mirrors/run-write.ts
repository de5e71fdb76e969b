import { writeMirrors } from '../../mirrors/write/write-mirrors.ts';
import { formatRuntimeId } from '../../site/runtime-id.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { findRewriteRecord } from '../prove/proof-commands.ts';
import { shellLine } from '../shell-line.ts';
import { type SiteOrder, siteRequest } from './site-rules.ts';
import { formatWrite, shownActions } from './write-view.ts';

/** What the user asked for. */
export interface WriteOrder extends SiteOrder {
  readonly dryRun: boolean;
}

/** Writes the rules of a Site and a Lock into a node's files, or says what would be written. */
export async function runWrite(context: CommandContext, order: WriteOrder): Promise<CommandResult> {
  const { dryRun } = order;
  const { request, runtime, lockFile, lock, warnings } = await siteRequest(context, order);
  const written = await context.run.step('mirrors', (run) =>
    writeMirrors({ ...request, dryRun }, run),
  );
  const report = { ...written, warnings: [...written.warnings, ...warnings] };
  const name = formatRuntimeId(runtime);
  const rewritten = await findRewriteRecord(context, lockFile, lock.metadata.name);
  const next = nextCommand(order, { lockFile, runtime: name, rewritten });
  const view = { root: order.root, dryRun, hidesKept: context.isQuiet };
  return {
    json: {
      root: order.root,
      runtime: name,
      dryRun,
      ...report,
      actions: shownActions(report.actions),
      next,
    },
    text: formatWrite({ report, order: view, runtime: name, next }),
  };
}

interface NextFacts {
  readonly lockFile: string;
  readonly runtime: string;
  /** The record of a load that rewrote indexes, without which the proof would fail. */
  readonly rewritten: string | undefined;
}

function nextCommand(order: WriteOrder, facts: NextFacts): string {
  return order.dryRun ? againCommand(order, facts, 'write') : proveCommand(order, facts);
}

/** The command that proves what was written. */
export function proveCommand(
  { siteFile, root }: Pick<SiteOrder, 'siteFile' | 'root'>,
  { lockFile, runtime, rewritten }: NextFacts,
): string {
  const place = ['--site', siteFile, '--root', root, '--runtime', runtime];
  const record = rewritten === undefined ? [] : ['--rewritten', rewritten];
  return shellLine(['slipway', 'prove', lockFile, ...place, ...record]);
}

/** The command that does what was only shown. */
export function againCommand(
  { siteFile, root, ...order }: SiteOrder,
  { lockFile, runtime }: Pick<NextFacts, 'lockFile' | 'runtime'>,
  command: 'write' | 'apply',
): string {
  const place = ['--site', siteFile, '--root', root, '--runtime', runtime];
  const flags = [
    ...(order.replaceForeign ? ['--replace'] : []),
    ...(order.skipVerify ? ['--insecure-skip-verify'] : []),
  ];
  return shellLine(['slipway', 'mirrors', command, '--lock', lockFile, ...place, ...flags]);
}
