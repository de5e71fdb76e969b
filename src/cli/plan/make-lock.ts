import { planLock } from '../../lock/plan-lock.ts';
import type { Lock } from '../../release/lock.ts';
import { formatLock, isSameLock } from '../../release/lock-document.ts';
import { publishableArtefacts } from '../../release/publishable-artefacts.ts';
import type { Run } from '../../shared/run.ts';
import { checkPublication } from '../../site/publication.ts';
import type { Site } from '../../site/site.ts';
import { PlanFolder } from './plan-folder.ts';

/** What a Lock is made from, and where it goes. */
export type LockRequest = Parameters<typeof planLock>[0] & {
  readonly path: string;
  /** Where what is read is kept when nothing may be made beside the path. */
  readonly tempFolder: string;
  /** The file that is there. */
  readonly earlierText: string | undefined;
  readonly sites: readonly Site[];
};

/** A Lock, and whether it says something else than the file that was there. */
export interface MadeLock {
  readonly lock: Lock;
  readonly isChanged: boolean;
}

/** The Lock, if every Site can hold it. PUBLISH_COLLISION before anything is written. */
export async function planForSites(
  request: LockRequest,
  ports: Parameters<typeof planLock>[1],
  run: Run,
): Promise<Lock> {
  const lock = await planLock(request, ports, run);
  for (const { spec } of request.sites) {
    checkPublication(publishableArtefacts(lock), spec.registries);
  }
  return lock;
}

/** Makes a Lock from the earlier one alone, and writes it if it is another. */
export async function planOffline(request: LockRequest, run: Run): Promise<MadeLock> {
  const lock = await planForSites(request, undefined, run);
  const text = newText(request, lock);
  if (text === undefined) return { lock, isChanged: false };
  await using folder = await PlanFolder.open(request.path, request.tempFolder);
  await folder.publish(text);
  await folder.remove();
  return { lock, isChanged: true };
}

/** What has to be written; undefined if the file says all of it already. */
export function newText({ earlier, earlierText }: LockRequest, lock: Lock): string | undefined {
  if (earlier !== undefined && isSameLock(earlier, lock)) return undefined;
  const text = formatLock(lock);
  return text === earlierText ? undefined : text;
}
