import type { TypedDocument } from '../documents/document-kind.ts';
import type { Path } from '../documents/problem.ts';
import { formatReference, type Reference } from '../oci/reference.ts';
import { expandMatrix, type Matrix, matrixFor, sandboxImage } from './matrix.ts';
import { type Claims, claimsOf, type Mention, mergeClaims } from './mention.ts';
import { identityOf, readReference } from './references.ts';
import type { Component, Release } from './release.ts';

type ReleaseDocument = TypedDocument<'Release', Release>;

/** One line of `images:`, with the component it belongs to. */
export interface ListedImage {
  readonly ref: string;
  readonly flatName?: string | undefined;
  readonly platforms?: readonly string[] | undefined;
  readonly licence?: string | undefined;
  readonly component: Component;
  /** Where the reference stands: `['spec', 'components', 1, 'images', 0]`. */
  readonly path: Path;
}

/** All `images:` entries of a Release in the order of the document, text and mappings alike. */
export function listImages(release: Release): readonly ListedImage[] {
  const components = release.spec.components ?? [];
  return components.flatMap((component, index) =>
    (component.images ?? []).map((image, at) => {
      const path = ['spec', 'components', index, 'images', at];
      if (typeof image === 'string') return { ref: image, component, path };
      return { ...image, component, path: [...path, 'ref'] };
    }),
  );
}

/** What is said of an image besides the claims that charts have, too. */
interface ImageClaims extends Claims {
  readonly flatName?: string | undefined;
  /** Undefined: all platforms of the Release. */
  readonly platforms?: readonly string[] | undefined;
}

/** One place that asks for an image: a line of `images:`, or `from: matrix`. */
export type MentionedImage = Mention & ImageClaims;

/** An image that the Release needs, once, with everybody who asked for it. */
export interface WantedImage extends ImageClaims {
  /** The full name as clusters ask for it: `registry.k8s.io/pause:3.9`. */
  readonly name: string;
  /** With the digest if any mention has one. */
  readonly reference: Reference;
}

/**
 * Every mention of an image, those of `from: matrix` first, which come from the line of the Release's
 * Kubernetes version. What is no reference is left to the checks.
 */
export function mentionedImages(
  document: ReleaseDocument,
  matrix: Matrix,
): readonly MentionedImage[] {
  return [...matrixImages(document, matrix), ...listedImages(document)];
}

/**
 * The images of a Release that passed its checks, in the order of first mention. An image that two
 * components list is given once, with both reasons; the checks made sure that they agree. If only
 * one of them names its digest, that digest is meant by both, and the tag is asked for, too.
 */
export function wantedImages(document: ReleaseDocument, matrix: Matrix): readonly WantedImage[] {
  const wanted = new Map<string, WantedImage>();
  for (const mention of mentionedImages(document, matrix)) {
    const { identity, text: _, path: __, ...claims } = mention;
    const image = { ...claims, name: formatReference(mention.reference) };
    const known = wanted.get(identity);
    wanted.set(identity, known === undefined ? image : merge(known, image));
  }
  return [...wanted.values()];
}

/** The image in which pods wait, as the Release says it, else that of `from: matrix`, if there is one. */
export function sandboxReference(release: Release, matrix: Matrix): Reference | undefined {
  const { sandbox, kubernetes = '', components = [] } = release.spec;
  if (sandbox !== undefined) {
    const reference = readReference(sandbox);
    return 'reason' in reference ? undefined : reference;
  }
  const line = matrixFor(matrix, kubernetes);
  const usesMatrix = components.some(({ from }) => from === 'matrix');
  return usesMatrix && line !== undefined ? sandboxImage(line) : undefined;
}

function listedImages(document: ReleaseDocument): MentionedImage[] {
  return listImages(document.value).flatMap((listed) => {
    const { component, flatName, platforms, path } = listed;
    const reference = readReference(listed.ref);
    if ('reason' in reference) return [];
    const claims = claimsOf(document, component, { because: 'listed in images', path });
    return [
      {
        identity: identityOf(reference),
        text: listed.ref,
        reference,
        path,
        ...claims,
        licence: listed.licence ?? component.licence,
        flatName,
        platforms,
      },
    ];
  });
}

function matrixImages(document: ReleaseDocument, matrix: Matrix): MentionedImage[] {
  const { kubernetes = '', components = [] } = document.value.spec;
  const line = matrixFor(matrix, kubernetes);
  if (line === undefined) return [];
  return components.flatMap((component, index) => {
    if (component.from !== 'matrix') return [];
    const path = ['spec', 'components', index, 'from'];
    return expandMatrix(line).map(({ reference, because }) => ({
      identity: identityOf(reference),
      text: formatReference(reference),
      reference,
      path,
      ...claimsOf(document, component, { because, path }),
    }));
  });
}

function merge(a: WantedImage, b: WantedImage): WantedImage {
  const platforms = a.platforms && b.platforms && [...new Set([...a.platforms, ...b.platforms])];
  return {
    ...mergeClaims(a, b),
    name: a.name === b.name ? a.name : identityOf(a.reference),
    reference: a.reference.digest === undefined ? b.reference : a.reference,
    flatName: a.flatName ?? b.flatName,
    platforms,
  };
}
