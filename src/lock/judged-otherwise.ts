import { parseReference } from '../oci/reference.ts';
import type { Lock, LockedImage, Redistribution } from '../release/lock.ts';
import { policyDigest } from '../release/policy-digest.ts';
import type { SourcePolicy } from '../release/source-policy.ts';
import { placeImage } from '../sources/place-image.ts';

/** An artefact of a Lock that a policy judges otherwise than the Lock says. */
export interface JudgedOtherwise {
  readonly name: string;
  readonly before: Redistribution;
  /** `refused`: the policy would not let it into a Lock at all. */
  readonly now: Redistribution | 'refused';
  readonly because: string | undefined;
}

/**
 * What a policy says otherwise than when the Lock was made; empty if it still decides the same, which
 * the digest in `madeFrom` tells. In the order of the Lock, images before charts.
 */
export function judgedOtherwise(
  { spec }: Pick<Lock, 'spec'>,
  policy: SourcePolicy,
): readonly JudgedOtherwise[] {
  if (spec.madeFrom.policy === policyDigest(policy)) return [];
  return [...spec.images, ...spec.charts].flatMap((artefact) => {
    const { name, redistribution: before } = artefact;
    const placement = placeAgain(artefact, policy);
    const now = placement.kind === 'placed' ? placement.redistribution : 'refused';
    const because = placement.kind === 'placed' ? placement.because : placement.message;
    return now === before ? [] : [{ name, before, now, because }];
  });
}

/** In the class that the Lock names, since the Release may have named it; else in the one that fits now. */
function placeAgain(
  { name, class: className, licence }: Pick<LockedImage, 'name' | 'class' | 'licence'>,
  policy: SourcePolicy,
): ReturnType<typeof placeImage> {
  const thing = { reference: parseReference(name), licence };
  const placement = placeImage({ ...thing, class: className }, policy);
  const isLost = placement.kind === 'refused' && placement.code !== 'LICENCE_REFUSED';
  return isLost ? placeImage(thing, policy) : placement;
}
