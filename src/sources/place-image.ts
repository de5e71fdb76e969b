import { HUB, isHub } from '../oci/docker-hub.ts';
import { type Reference, repositoryName } from '../oci/reference.ts';
import type { Redistribution } from '../release/lock.ts';
import { readReference } from '../release/references.ts';
import type { Approval, SourceClass, SourcePolicy } from '../release/source-policy.ts';
import { judgeLicence } from './licence.ts';

/** What the Release says about one image or chart. */
export interface PlacedThing {
  readonly reference: Reference;
  readonly class?: string | undefined;
  /** SPDX expression. */
  readonly licence?: string | undefined;
}

/** Which class something belongs to, and whether it may travel. */
export interface Placement {
  readonly kind: 'placed';
  readonly class: string;
  readonly redistribution: Redistribution;
  /** Why it may not simply travel, or who lets it, in one clause; undefined when the rules let it. */
  readonly because: string | undefined;
}

/** A claim of the Release that the policy contradicts. */
export interface PlacementRefusal {
  readonly kind: 'refused';
  readonly code: 'CLASS_UNKNOWN' | 'CLASS_WRONG_REGISTRY' | 'CLASS_NOT_FOUND' | 'LICENCE_REFUSED';
  readonly message: string;
  readonly hint: string;
}

/** The class of everything when there is no policy: nobody has said that it may travel. */
export const unclassified = 'unclassified';

/**
 * Finds the class of an image and judges its licence (R0-29, R0-47).
 *
 * `cr.openfuyao.cn/openfuyao/x` with the class `self-built: {registries: [cr.openfuyao.cn/openfuyao]}`
 * → that class. A class that the Release names must own the registry; without one, the longest
 * registry prefix decides, and `*` owns what nobody else does. What has to be looked at first may travel
 * once the policy has an approval of just that licence.
 */
export function placeImage(
  thing: PlacedThing,
  policy: SourcePolicy | undefined,
): Placement | PlacementRefusal {
  if (policy === undefined) {
    const because = 'no SourcePolicy says that it may travel';
    return { kind: 'placed', class: unclassified, redistribution: 'own-use-only', because };
  }
  const { classes } = policy.spec;
  const owner = thing.class === undefined ? owningClass(thing.reference, classes) : thing.class;
  if (owner === undefined) return noClass(thing, classes);
  const source = classes[owner];
  if (source === undefined) return unknownClass(owner, classes);
  if (matchLength(thing.reference, source) < 0) return wrongRegistry(thing, owner, source);
  return approved(judge(thing, owner, source), thing, policy.spec.approvals ?? []);
}

function owningClass(reference: Reference, classes: Readonly<Record<string, SourceClass>>) {
  const matches = Object.entries(classes)
    .map(([name, source]) => ({ name, length: matchLength(reference, source) }))
    .filter(({ length }) => length >= 0);
  // The sort is stable: among equals the first class of the document wins.
  return matches.sort((a, b) => b.length - a.length)[0]?.name;
}

/** Length of the longest registry prefix that covers the image; 0 for `*`, -1 for none. */
function matchLength(reference: Reference, source: SourceClass): number {
  const name = canonicalPlace(`${reference.domain}/${reference.path}`);
  const lengths = source.registries.map((registry) => {
    if (registry === '*') return 0;
    const place = canonicalPlace(registry);
    return name === place || name.startsWith(`${place}/`) ? place.length : -1;
  });
  return Math.max(-1, ...lengths);
}

/**
 * One spelling for all names of one registry: `Quay.io:443/a` → `quay.io/a`. To runtimes they are different
 * registries, but another spelling must not carry an image past the rules of its class.
 */
function canonicalPlace(text: string): string {
  const [host = '', ...path] = text.split('/');
  const plain = host.toLowerCase().replace(/:(?:443|80)$/, '');
  return [isHub(plain) ? HUB : plain, ...path].join('/');
}

function judge(
  thing: PlacedThing,
  owner: string,
  source: SourceClass,
): Placement | PlacementRefusal {
  const placed = (redistribution: Redistribution, because?: string): Placement => ({
    kind: 'placed',
    class: owner,
    redistribution,
    because,
  });
  const rule = source.redistribute ?? (source.licences === undefined ? 'always' : 'by-licence');
  if (rule === 'always') return placed('allowed');
  if (rule === 'never') return placed('own-use-only', `class ${owner} is never redistributed`);
  if (thing.licence === undefined) return placed('review', 'its licence is not stated');
  const { allow = [], review = [] } = source.licences ?? {};
  const verdict = judgeLicence(thing.licence, { allow, review });
  if (verdict === 'allowed') return placed('allowed');
  if (verdict === 'review') return placed('review', `a person has to look at ${thing.licence}`);
  if (verdict === 'unknown') {
    return placed('review', `"${thing.licence}" is not an SPDX expression`);
  }
  return {
    kind: 'refused',
    code: 'LICENCE_REFUSED',
    message: `${thing.licence} may not travel in class "${owner}"`,
    hint: `put it into a class with "redistribute: never", or add ${thing.licence} to licences.allow of "${owner}", or to licences.review and approve it under "approvals"`,
  };
}

/** A person's yes turns a review into a permission, and into nothing else (R0-29). */
function approved(
  placement: Placement | PlacementRefusal,
  thing: PlacedThing,
  approvals: readonly Approval[],
): Placement | PlacementRefusal {
  if (placement.kind !== 'placed' || placement.redistribution !== 'review') return placement;
  const approval = approvals.find(
    ({ name, licence }) => licence === thing.licence && names(name, thing.reference),
  );
  if (approval === undefined) return placement;
  const looked = thing.licence === undefined ? 'its licence' : thing.licence;
  const because = `${approval.by} has looked at ${looked}: ${approval.because}`;
  return { ...placement, redistribution: 'allowed', because };
}

/** `quay.io/a/b` names every version, `quay.io/a/b:1` one of them. */
function names(text: string, reference: Reference): boolean {
  const named = readReference(text);
  // The checks of the policy have refused what is no reference.
  if ('reason' in named) return false;
  return (
    repositoryName(named) === repositoryName(reference) &&
    (named.tag === undefined || named.tag === reference.tag) &&
    (named.digest === undefined || named.digest === reference.digest)
  );
}

function noClass(
  thing: PlacedThing,
  classes: Readonly<Record<string, SourceClass>>,
): PlacementRefusal {
  return {
    kind: 'refused',
    code: 'CLASS_NOT_FOUND',
    message: `no class owns the registry ${thing.reference.domain}`,
    hint: `add it to a class of the SourcePolicy (${Object.keys(classes).join(', ')}), or give one class the registry "*"`,
  };
}

function unknownClass(
  owner: string,
  classes: Readonly<Record<string, SourceClass>>,
): PlacementRefusal {
  return {
    kind: 'refused',
    code: 'CLASS_UNKNOWN',
    message: `the SourcePolicy has no class "${owner}"`,
    hint: `its classes: ${Object.keys(classes).join(', ')}`,
  };
}

function wrongRegistry(thing: PlacedThing, owner: string, source: SourceClass): PlacementRefusal {
  return {
    kind: 'refused',
    code: 'CLASS_WRONG_REGISTRY',
    message: `class "${owner}" lives in ${source.registries.join(', ')}, not in ${thing.reference.domain}`,
    hint: 'name the image where the class lives, or give it another class',
  };
}
