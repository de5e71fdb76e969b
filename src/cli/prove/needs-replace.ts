import { MirrorFileForeign } from '../../mirrors/errors.ts';
import { rulesFor } from '../../mirrors/write/rules-for.ts';
import { writeMirrors } from '../../mirrors/write/write-mirrors.ts';
import type { Lock } from '../../release/lock.ts';
import { SlipwayError } from '../../shared/errors.ts';
import type { RuntimeId } from '../../site/runtime-id.ts';
import type { CommandContext } from '../command.ts';
import { siteAuthorities } from '../node/site-authorities.ts';
import type { readSite } from '../read-site.ts';

/** A node as `mirrors write` would find it. */
interface FoundNode {
  readonly root: string;
  readonly runtime: RuntimeId;
  readonly site: Awaited<ReturnType<typeof readSite>>;
  readonly lock: Lock;
}

/**
 * True when `slipway mirrors write` would stop at files that somebody else wrote, so that its command
 * needs `--replace`. Changes nothing; what else is wrong the command says itself.
 */
export async function needsReplace(
  { root, runtime, site, lock }: FoundNode,
  context: CommandContext,
): Promise<boolean> {
  const { sandbox } = lock.spec;
  try {
    const authorities = await siteAuthorities(site, context);
    const rules = rulesFor(site.value, lock, { authorities, skipVerify: false });
    const order = { root, runtime, rules, replaceForeign: false, dryRun: true };
    const sandboxImage = sandbox === undefined ? {} : { sandboxImage: sandbox };
    await writeMirrors({ ...order, ...sandboxImage }, context.run);
    return false;
  } catch (error) {
    if (error instanceof SlipwayError) return error instanceof MirrorFileForeign;
    throw error;
  }
}
