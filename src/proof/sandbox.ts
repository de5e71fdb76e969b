import type { Origin } from '../mirrors/finding.ts';
import { formatOrigin } from '../mirrors/finding.ts';
import type { NodeRules } from '../mirrors/pull-chain.ts';
import { parseReference } from '../oci/reference.ts';
import type { Failure } from './report.ts';
import { neededAnyway, pulledName, type RequiredImage } from './required-images.ts';

/** The image in which pods wait, where the required images do not hold it (PEER-11). */
export interface MissingSandbox {
  readonly image: string;
  readonly failure: Failure;
}

/** What the Lock says about names. */
interface LockedNames {
  readonly published: (image: RequiredImage) => readonly string[];
  /** The sandbox image of the Lock, if it has one. */
  readonly locked: string | undefined;
}

/**
 * The sandbox image as one more required image, or why it cannot be proved. Undefined when it is
 * among the required images already, or the node names none.
 *
 * `published` holds the other names of the Lock's images in the registries of the Site: a sandbox
 * image is often written as the registry's own name, `harbor.example/platform/pause:3.10`.
 */
export function sandboxOf(
  { sandboxImage }: NodeRules,
  required: readonly RequiredImage[],
  { published, locked }: LockedNames,
): RequiredImage | MissingSandbox | undefined {
  if (sandboxImage === undefined) return undefined;
  const { image, origin } = sandboxImage;
  const reference = readName(image);
  if (reference === undefined) return { image, failure: unreadable(image, origin) };
  const name = pulledName(reference);
  if (required.some((one) => pulledName(one.reference) === name)) return undefined;
  const twin = required.find((one) => published(one).includes(name));
  if (twin !== undefined) return { ...neededAnyway(twin), name: image, reference };
  if (locked !== undefined) return { image: locked, failure: otherNamed(image, origin) };
  return { image, failure: notLocked(image, origin) };
}

/** The required images; the one that the runtime starts for every pod is needed on every platform. */
export function withSandboxNeeded(
  { sandboxImage }: NodeRules,
  required: readonly RequiredImage[],
): readonly RequiredImage[] {
  const reference = readName(sandboxImage?.image ?? '');
  if (reference === undefined) return required;
  const name = pulledName(reference);
  return required.map((one) => (pulledName(one.reference) === name ? neededAnyway(one) : one));
}

function readName(image: string) {
  try {
    return parseReference(image);
  } catch {
    return undefined;
  }
}

function unreadable(image: string, origin: Origin): Failure {
  return {
    kind: 'configuration-refused',
    summary: 'the sandbox image of the runtime is not an image reference, so no pod can start',
    asked: [],
    because: [`${formatOrigin(origin)} says ${JSON.stringify(image)}`],
    do: [],
  };
}

/** The Lock has one, and the rules of the node have only to name it. */
function otherNamed(image: string, origin: Origin): Failure {
  return {
    kind: 'not-locked',
    summary: `pods would wait in ${image}, which is not in the Lock, and not in this one`,
    asked: [],
    because: [namedBy(origin)],
    do: [],
  };
}

function namedBy(origin: Origin): string {
  return origin.builtIn
    ? 'the runtime uses it unless its configuration names another sandbox image'
    : `${formatOrigin(origin)} names it as the sandbox image`;
}

function notLocked(image: string, origin: Origin): Failure {
  return {
    kind: 'not-locked',
    summary: 'the runtime starts every pod in it, and it is not in the Lock',
    asked: [],
    because: [namedBy(origin)],
    do: [
      `add ${image} to the images of the Release, or say there which of them it is (spec.sandbox)`,
    ],
  };
}
