import type { TypedDocument } from '../documents/document-kind.ts';
import { formatReference, type Reference } from '../oci/reference.ts';
import { type Claims, claimsOf, type Mention, mergeClaims } from './mention.ts';
import { readReference } from './references.ts';
import type { Release } from './release.ts';

/** A chart that the Release needs, once, with everybody who asked for it. */
export interface WantedChart extends Claims {
  /** `hub.oepkgs.net/charts/metrics-server:3.12.2`. */
  readonly name: string;
  readonly version: string;
  readonly reference: Reference;
}

/** One component that has a chart. */
export type MentionedChart = Mention & { readonly version: string };

/** The charts of a Release in the order of the document; what is no chart reference is left to the checks. */
export function mentionedCharts(document: TypedDocument<'Release', Release>): MentionedChart[] {
  return (document.value.spec.components ?? []).flatMap((component, index) => {
    if (component.chart === undefined) return [];
    const { ref, version } = component.chart;
    // Tags have no "+"; helm writes "_" in its place.
    const tag = version.replaceAll('+', '_');
    const reference = readReference(`${ref.replace(/^oci:\/\//, '')}:${tag}`);
    if ('reason' in reference) return [];
    const path = ['spec', 'components', index, 'chart', 'ref'];
    const claims = claimsOf(document, component, { because: 'its chart', path });
    const identity = formatReference(reference);
    return [{ identity, text: ref, reference, version, path, ...claims }];
  });
}

/** The charts of a Release that passed its checks, in the order of first mention, each once. */
export function wantedCharts(document: TypedDocument<'Release', Release>): readonly WantedChart[] {
  const wanted = new Map<string, WantedChart>();
  for (const { identity, text: _, path: __, ...chart } of mentionedCharts(document)) {
    const known = wanted.get(identity);
    const claims = known === undefined ? chart : mergeClaims(known, chart);
    wanted.set(identity, { ...chart, ...claims, name: identity });
  }
  return [...wanted.values()];
}
