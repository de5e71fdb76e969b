import type { MirrorRule } from '../../mirrors/mirror-rule.ts';
import { rulesFor } from '../../mirrors/write/rules-for.ts';
import type { MirrorsRequest } from '../../mirrors/write/write-mirrors.ts';
import type { Lock } from '../../release/lock.ts';
import type { RuntimeId } from '../../site/runtime-id.ts';
import type { CommandContext } from '../command.ts';
import { type ClusterName, chooseRuntime } from '../node/choose-runtime.ts';
import { nodeRoot } from '../node/node-root.ts';
import { siteAuthorities } from '../node/site-authorities.ts';
import { readLockFile } from '../read-lock-file.ts';
import { readSite } from '../read-site.ts';

/** A node that shall pull what a Site and a Lock say. */
export interface SiteOrder {
  readonly siteFile: string;
  readonly lockFile: string | undefined;
  readonly root: string;
  readonly runtime: string | undefined;
  readonly cluster: ClusterName | undefined;
  readonly replaceForeign: boolean;
  readonly skipVerify: boolean;
}

/** The request to write them, and the documents that it comes from. */
export interface SiteRequest {
  readonly request: Omit<MirrorsRequest, 'dryRun'> & { readonly rules: readonly MirrorRule[] };
  readonly runtime: RuntimeId;
  readonly lockFile: string;
  readonly lock: Lock;
  /** What the documents leave open. */
  readonly warnings: readonly string[];
}

/** Reads Site and Lock and chooses the runtime; see rulesFor and chooseRuntime for what they reject. */
export async function siteRequest(context: CommandContext, order: SiteOrder): Promise<SiteRequest> {
  const site = await readSite(order.siteFile, context);
  const { file, lock } = await readLockFile(order.lockFile, context);
  const { cluster, skipVerify, replaceForeign } = order;
  const runtime = chooseRuntime({ typed: order.runtime, cluster, site: site.value, lock });
  const authorities = await siteAuthorities(site, context);
  const rules = rulesFor(site.value, lock, { authorities, skipVerify });
  const { sandbox } = lock.spec;
  const root = await nodeRoot(order.root, context);
  const sandboxImage = sandbox === undefined ? {} : { sandboxImage: sandbox };
  return {
    request: { root, runtime, rules, ...sandboxImage, replaceForeign },
    runtime,
    lockFile: file,
    lock,
    warnings: sandbox === undefined ? [noSandbox] : [],
  };
}

const noSandbox =
  'the Lock names no sandbox image, so the runtime keeps its own; say it in the Release: spec.sandbox';
