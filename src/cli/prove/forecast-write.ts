import { MirrorConfigBroken, MirrorFileForeign } from '../../mirrors/errors.ts';
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

/** How `slipway mirrors write` would end on a node. */
export interface WriteForecast {
  /** True when files that somebody else wrote are in its way, so that it needs `--replace`. */
  readonly replacesForeign: boolean;
  /** What a person has to do first, since the command would stop otherwise. */
  readonly before: readonly string[];
}

/** Says how `slipway mirrors write` would end, by doing all of it but the writing. */
export async function forecastWrite(
  { root, runtime, site, lock }: FoundNode,
  context: CommandContext,
): Promise<WriteForecast> {
  const { sandbox } = lock.spec;
  const wanted = siteAuthorities(site, context).then((authorities) =>
    rulesFor(site.value, lock, { authorities, skipVerify: false }),
  );
  const stop = async (replaceForeign: boolean): Promise<SlipwayError | undefined> => {
    try {
      const order = { root, runtime, rules: await wanted, replaceForeign, dryRun: true };
      const sandboxImage = sandbox === undefined ? {} : { sandboxImage: sandbox };
      await writeMirrors({ ...order, ...sandboxImage }, context.run);
      return undefined;
    } catch (error) {
      if (error instanceof SlipwayError) return error;
      throw error;
    }
  };
  const first = await stop(false);
  const replacesForeign = first instanceof MirrorFileForeign || first instanceof MirrorConfigBroken;
  const left = first instanceof MirrorFileForeign ? await stop(true) : first;
  return { replacesForeign, before: left === undefined ? [] : [stepOf(left)] };
}

function stepOf(error: SlipwayError): string {
  return error instanceof MirrorConfigBroken ? error.fix : `${error.message}: ${error.fix}`;
}
