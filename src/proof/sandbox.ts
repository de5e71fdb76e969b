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
  published: (image: RequiredImage) => readonly string[],
): RequiredImage | MissingSandbox | undefined {
  if (sandboxImage === undefined) return undefined;
  const { image, origin } = sandboxImage;
  const reference = readName(image);
  if (reference === undefined) return { image, failure: unreadable(image, origin) };
  const name = pulledName(reference);
  if (required.some((one) => pulledName(one.reference) === name)) return undefined;
  const twin = required.find((one) => published(one).includes(name));
  if (twin !== undefined) return { ...neededAnyway(twin), name: image, reference };
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

function notLocked(image: string, origin: Origin): Failure {
  const isDefault = !origin.file.startsWith('/');
  return {
    kind: 'not-locked',
    summary: 'the runtime starts every pod in it, and it is not in the Lock',
    asked: [],
    because: [
      isDefault
        ? 'the runtime uses it unless its configuration names another sandbox image'
        : `${formatOrigin(origin)} names it as the sandbox image`,
    ],
    do: [
      `add ${image} to the images of the Release, or say there which one it is (spec.sandbox), plan again and write the rules of the node again`,
    ],
  };
}
