import type { TypedDocument } from '../documents/document-kind.ts';
import type { Path } from '../documents/problem.ts';
import { formatReference, parseReference, type Reference } from '../oci/reference.ts';
import type { LockedReason } from './lock.ts';
import { expandMatrix, type Matrix, matrixFor } from './matrix.ts';
import type { Component, Release } from './release.ts';

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

/** An image that the Release needs, once per name, with everybody who asked for it. */
export interface WantedImage {
  /** The full name: `registry.k8s.io/pause:3.9`. */
  readonly name: string;
  readonly reference: Reference;
  readonly class?: string | undefined;
  readonly licence?: string | undefined;
  /** Set only if every component that asks for it belongs to this feature. */
  readonly feature?: string | undefined;
  readonly flatName?: string | undefined;
  /** Undefined: all platforms of the Release. */
  readonly platforms?: readonly string[] | undefined;
  readonly reasons: readonly LockedReason[];
}

/**
 * The images of a Release that passed its checks, in the order of first mention; those of
 * `from: matrix` come from the line of its Kubernetes version. An image that two components list is
 * given once, with both reasons; the checks made sure that they agree.
 */
export function wantedImages(
  document: TypedDocument<'Release', Release>,
  matrix: Matrix,
): readonly WantedImage[] {
  const wanted = new Map<string, WantedImage>();
  for (const image of [...matrixImages(document, matrix), ...listedImages(document)]) {
    const known = wanted.get(image.name);
    wanted.set(image.name, known === undefined ? image : merge(known, image));
  }
  return [...wanted.values()];
}

function listedImages(document: TypedDocument<'Release', Release>): WantedImage[] {
  return listImages(document.value).map((listed) => {
    const { component, flatName, platforms } = listed;
    const reference = parseReference(listed.ref);
    return {
      name: formatReference(reference),
      reference,
      class: component.class,
      licence: listed.licence ?? component.licence,
      feature: component.feature,
      flatName,
      platforms,
      reasons: [reasonFor(document, component, 'listed in images', listed.path)],
    };
  });
}

function matrixImages(document: TypedDocument<'Release', Release>, matrix: Matrix): WantedImage[] {
  const { kubernetes = '', components = [] } = document.value.spec;
  const line = matrixFor(matrix, kubernetes);
  if (line === undefined) return [];
  return components.flatMap((component, index) => {
    if (component.from !== 'matrix') return [];
    return expandMatrix(line).map(({ reference, because }) => ({
      name: formatReference(reference),
      reference,
      class: component.class,
      licence: component.licence,
      feature: component.feature,
      reasons: [reasonFor(document, component, because, ['spec', 'components', index, 'from'])],
    }));
  });
}

function reasonFor(
  document: TypedDocument<'Release', Release>,
  component: Component,
  because: string,
  path: Path,
): LockedReason {
  return {
    component: component.name,
    because,
    file: document.file,
    ...document.positionOf(path),
  };
}

function merge(a: WantedImage, b: WantedImage): WantedImage {
  const platforms = a.platforms && b.platforms && [...new Set([...a.platforms, ...b.platforms])];
  return {
    ...a,
    class: a.class ?? b.class,
    licence: a.licence ?? b.licence,
    feature: a.feature === b.feature ? a.feature : undefined,
    flatName: a.flatName ?? b.flatName,
    platforms,
    reasons: [...a.reasons, ...b.reasons],
  };
}
