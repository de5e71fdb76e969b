import type { Lock, LockedImage, Redistribution } from '../../release/lock.ts';
import { formatCount } from '../../shared/quantities.ts';
import { shellLine } from '../shell-line.ts';
import { travel } from './travel.ts';

/** Something in a Lock that a person should know; `place` is where the Release asks for it. */
export interface PlanNote {
  readonly kind:
    | 'moving-tag'
    | 'no-sandbox'
    | 'tag-moved'
    | 'foreign-layers'
    | 'not-for-others'
    | 'approved'
    | 'same-path'
    | 'release-changed'
    | 'policy-changed';
  readonly text: string;
  readonly place?: string;
  /** The artefacts that it is about, where it is about several. */
  readonly artefacts?: readonly KeptArtefact[];
}

/** An artefact that may not simply be passed on: `review`, because `its licence is not stated`. */
interface KeptArtefact {
  readonly name: string;
  readonly redistribution: Redistribution;
  readonly because?: string | undefined;
}

/** What to know about a Lock, and about what changed since the earlier one. */
export function planNotes(lock: Lock, earlier: Lock | undefined): readonly PlanNote[] {
  const before = new Map(earlier?.spec.images.map((image) => [image.name, image]));
  return [
    ...lock.spec.images.flatMap((image) => [
      ...movedTag(image, before.get(image.name)),
      ...movingTag(image),
      ...foreignLayers(image),
    ]),
    ...noSandbox(lock),
    ...notForOthers(lock),
    ...approved(lock),
  ];
}

/** `sha256:5f0c21…` → `sha256:5f0c21ab12cd`, enough to tell two apart. */
export function shortDigest(digest: string): string {
  return digest.slice(0, digest.indexOf(':') + 13);
}

function movingTag(image: LockedImage): PlanNote[] {
  if (!image.movingTag) return [];
  const text = `${image.name} is a moving tag; locked to ${shortDigest(image.target.digest)}`;
  return [{ kind: 'moving-tag', text, ...placeOf(image) }];
}

function movedTag(image: LockedImage, before: LockedImage | undefined): PlanNote[] {
  if (before === undefined || before.target.digest === image.target.digest) return [];
  const [old, now] = [before, image].map(({ target }) => shortDigest(target.digest));
  const text = `${image.name} moved since the earlier Lock: ${old} → ${now}`;
  return [{ kind: 'tag-moved', text, ...placeOf(image) }];
}

function foreignLayers(image: LockedImage): PlanNote[] {
  const count = image.platforms.flatMap(({ foreignLayers: layers = [] }) => layers).length;
  if (count === 0) return [];
  const text = `${image.name} has ${formatCount(count, 'layer')} that its publisher does not let others pass on; nodes must reach them elsewhere`;
  return [{ kind: 'foreign-layers', text, ...placeOf(image) }];
}

/** Nodes pull it for every pod, and nobody would notice before they stand in a closed site. */
function noSandbox({ spec }: Lock): PlanNote[] {
  if (spec.sandbox !== undefined || spec.images.length === 0) return [];
  const text =
    'no sandbox image: nodes will want the one of their runtime, such as registry.k8s.io/pause:3.10; list it among the images of the Release and name it in spec.sandbox';
  return [{ kind: 'no-sandbox', text }];
}

function notForOthers(lock: Lock): PlanNote[] {
  const kept = [...lock.spec.images, ...lock.spec.charts].filter(
    ({ redistribution }) => redistribution !== 'allowed',
  );
  if (kept.length === 0) return [];
  const artefacts = kept.map(({ name, redistribution, redistributionBecause: because }) => {
    return { name, redistribution, because };
  });
  const why = shellLine(['slipway', 'why', artefacts[0]?.name ?? '']);
  const text = `${formatCount(kept.length, 'artefact')} may not be given to others (${causesOf(artefacts)}); a bundle with them is for own use. One of them: ${why}`;
  return [{ kind: 'not-for-others', text, artefacts }];
}

/** `its licence is not stated`; of several causes each with its number: `2 × …, 1 × …`. */
function causesOf(artefacts: readonly KeptArtefact[]): string {
  const groups = Map.groupBy(artefacts, (one) => one.because ?? travel[one.redistribution]);
  if (groups.size === 1) return [...groups.keys()].join('');
  return [...groups].map(([because, { length }]) => `${length} × ${because}`).join(', ');
}

/** The yes of a person is said in each plan, with who and why. */
function approved(lock: Lock): PlanNote[] {
  return [...lock.spec.images, ...lock.spec.charts].flatMap(
    ({ name, redistribution, redistributionBecause: because }) =>
      redistribution !== 'allowed' || because === undefined
        ? []
        : [
            {
              kind: 'approved',
              text: `${name} may be given to others: ${because}`,
              artefacts: [{ name, redistribution, because }],
            },
          ],
  );
}

function placeOf({ reasons: [reason] }: LockedImage) {
  return reason === undefined ? {} : { place: `${reason.file}:${reason.line}:${reason.column}` };
}
