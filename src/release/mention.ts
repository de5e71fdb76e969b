import type { TypedDocument } from '../documents/document-kind.ts';
import type { Path, Problem } from '../documents/problem.ts';
import type { Reference } from '../oci/reference.ts';
import type { LockedReason } from './lock.ts';
import type { Component, Release } from './release.ts';

type ReleaseDocument = TypedDocument<'Release', Release>;

/** What components claim of an image or chart, together. */
export interface Claims {
  readonly class?: string | undefined;
  readonly licence?: string | undefined;
  /** Set only if every component that asks for it belongs to this feature. */
  readonly feature?: string | undefined;
  readonly reasons: readonly LockedReason[];
}

/** One place of a Release that asks for an image or chart. */
export interface Mention extends Claims {
  /** Equal for all mentions of one artefact. */
  readonly identity: string;
  /** As the document has it, for messages. */
  readonly text: string;
  readonly reference: Reference;
  readonly path: Path;
}

/** What mentions of one artefact must agree on, and how to read it: `['classes', (one) => one.class]`. */
export type Agreement<T> = readonly [things: string, read: (mention: T) => string | undefined];

/** What all artefacts must agree on. */
export const commonAgreements: ReadonlyArray<Agreement<Claims>> = [
  ['classes', (one) => one.class],
  ['licences', (one) => one.licence],
];

/** Every claim that contradicts an earlier one about the same artefact, with both places. */
export function contradictions<T extends Mention>(
  mentions: readonly T[],
  agreements: ReadonlyArray<Agreement<T>>,
  document: ReleaseDocument,
): Problem[] {
  return agreements.flatMap(([things, read]) => {
    const first = new Map<string, T>();
    return mentions.flatMap((mention) => {
      const claim = read(mention);
      if (claim === undefined) return [];
      const before = first.get(mention.identity);
      first.set(mention.identity, before ?? mention);
      const earlier = before && read(before);
      if (before === undefined || earlier === claim) return [];
      const { line } = document.positionOf(before.path);
      const message = `"${mention.text}" has two ${things}: ${earlier} in line ${line}, ${claim} here`;
      const hint = 'say the same in both places, or leave it out in one of them';
      return [document.problemAt(mention.path, { code: 'IMAGE_CONFLICT', message, hint })];
    });
  });
}

/** The claims of two mentions that agree. */
export function mergeClaims(a: Claims, b: Claims): Claims {
  return {
    class: a.class ?? b.class,
    licence: a.licence ?? b.licence,
    feature: a.feature === b.feature ? a.feature : undefined,
    reasons: [...a.reasons, ...b.reasons],
  };
}

/** What a component says of everything that it lists. */
export function claimsOf(
  document: ReleaseDocument,
  component: Component,
  why: { readonly because: string; readonly path: Path },
): Claims {
  const { name, class: owner, licence, feature } = component;
  const place = { file: document.file, ...document.positionOf(why.path) };
  const reasons = [{ component: name, because: why.because, ...place }];
  return { class: owner, licence, feature, reasons };
}
