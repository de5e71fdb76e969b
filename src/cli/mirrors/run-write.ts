import { rulesFor } from '../../mirrors/write/rules-for.ts';
import { writeMirrors } from '../../mirrors/write/write-mirrors.ts';
import { formatRuntimeId } from '../../site/runtime-id.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { type ClusterName, chooseRuntime } from '../node/choose-runtime.ts';
import { nodeRoot } from '../node/node-root.ts';
import { siteAuthorities } from '../node/site-authorities.ts';
import { findRewriteRecord } from '../prove/proof-commands.ts';
import { readLockFile } from '../read-lock-file.ts';
import { readSite } from '../read-site.ts';
import { shellLine } from '../shell-line.ts';
import { formatWrite } from './write-view.ts';

/** What the user asked for. */
export interface WriteOrder {
  readonly siteFile: string;
  readonly lockFile: string | undefined;
  readonly root: string;
  readonly runtime: string | undefined;
  readonly cluster: ClusterName | undefined;
  readonly replaceForeign: boolean;
  readonly skipVerify: boolean;
  readonly dryRun: boolean;
}

/** Writes the rules of a Site and a Lock into a node's files, or says what would be written. */
export async function runWrite(context: CommandContext, order: WriteOrder): Promise<CommandResult> {
  const site = await readSite(order.siteFile, context);
  const { file, lock } = await readLockFile(order.lockFile, context);
  const { cluster, skipVerify, replaceForeign, dryRun } = order;
  const runtime = chooseRuntime({ typed: order.runtime, cluster, site: site.value, lock });
  const authorities = await siteAuthorities(site, context);
  const rules = rulesFor(site.value, lock, { authorities, skipVerify });
  const { sandbox } = lock.spec;
  const request = {
    root: await nodeRoot(order.root, context),
    runtime,
    rules,
    ...(sandbox !== undefined && { sandboxImage: sandbox }),
    replaceForeign,
    dryRun,
  };
  const written = await context.run.step('mirrors', (run) => writeMirrors(request, run));
  const warnings = [...written.warnings, ...(sandbox === undefined ? [noSandbox] : [])];
  const report = { ...written, warnings };
  const name = formatRuntimeId(runtime);
  const rewritten = await findRewriteRecord(context, file, lock.metadata.name);
  const next = nextCommand(order, { lockFile: file, runtime: name, rewritten });
  return {
    json: { root: order.root, runtime: name, dryRun, ...report, next },
    text: formatWrite({ report, order, runtime: name, next }),
  };
}

const noSandbox =
  'the Lock names no sandbox image, so the runtime keeps its own; say it in the Release: spec.sandbox';

interface NextFacts {
  readonly lockFile: string;
  readonly runtime: string;
  /** The record of a load that rewrote indexes, without which the proof would fail. */
  readonly rewritten: string | undefined;
}

function nextCommand(
  { siteFile, root, dryRun, ...order }: WriteOrder,
  { lockFile, runtime, rewritten }: NextFacts,
): string {
  const place = ['--site', siteFile, '--root', root, '--runtime', runtime];
  const record = rewritten === undefined ? [] : ['--rewritten', rewritten];
  if (!dryRun) return shellLine(['slipway', 'prove', lockFile, ...place, ...record]);
  const flags = [
    ...(order.replaceForeign ? ['--replace'] : []),
    ...(order.skipVerify ? ['--insecure-skip-verify'] : []),
  ];
  return shellLine(['slipway', 'mirrors', 'write', '--lock', lockFile, ...place, ...flags]);
}
