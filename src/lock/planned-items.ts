import type { TypedDocument } from '../documents/document-kind.ts';
import type { Path, Problem } from '../documents/problem.ts';
import { formatReference, parseReference, type Reference } from '../oci/reference.ts';
import type { LockedReason, LockedSource } from '../release/lock.ts';
import type { Matrix } from '../release/matrix.ts';
import type { Component, FileEntry, Release } from '../release/release.ts';
import type { SourcePolicy } from '../release/source-policy.ts';
import { type WantedImage, wantedImages } from '../release/wanted-images.ts';
import { type Placement, placeImage } from '../sources/place-image.ts';
import { referenceToAsk } from './image-reader.ts';

/** An image with its class and the place its bytes come from. */
export interface PlannedImage {
  readonly wanted: WantedImage;
  readonly placement: Placement;
  readonly source: LockedSource;
}

/** A chart of a component, the same way. */
export interface PlannedChart {
  readonly name: string;
  readonly version: string;
  readonly component: Component;
  readonly placement: Placement;
  readonly source: LockedSource;
  readonly reason: LockedReason;
}

/** A plain file with the place that asks for it. */
export interface PlannedFile {
  readonly file: FileEntry;
  readonly reason: LockedReason;
}

/** All that a Release asks for, and what its policy forbids. */
export interface PlannedItems {
  readonly images: readonly PlannedImage[];
  readonly charts: readonly PlannedChart[];
  readonly files: readonly PlannedFile[];
  readonly problems: readonly Problem[];
}

type ReleaseDocument = TypedDocument<'Release', Release>;

/**
 * Decides where everything comes from and whether it may travel, without asking any registry.
 * What the policy refuses is a problem with the place in the Release; the rest is still planned.
 */
export function planItems(
  release: ReleaseDocument,
  matrix: Matrix,
  policy: SourcePolicy | undefined,
): PlannedItems {
  const problems: Problem[] = [];
  const place = (thing: Parameters<typeof placeImage>[0], reason: LockedReason) => {
    const placement = placeImage(thing, policy);
    if (placement.kind === 'placed') return placement;
    const { file, line, column } = reason;
    const { code, message, hint } = placement;
    problems.push({ file, line, column, code, message, hint });
    return undefined;
  };
  const images = wantedImages(release, matrix).flatMap((wanted) => {
    const placement = place(wanted, firstReason(wanted));
    return placement === undefined
      ? []
      : [{ wanted, placement, source: sourceOf(wanted.reference) }];
  });
  const charts = wantedCharts(release).flatMap((chart) => {
    const { class: owner, licence } = chart.component;
    const placement = place({ reference: chart.reference, class: owner, licence }, chart.reason);
    return placement === undefined
      ? []
      : [{ ...chart, placement, source: sourceOf(chart.reference) }];
  });
  return { images, charts, files: wantedFiles(release), problems };
}

/** The place that asked first; every wanted image has one. */
export function firstReason(wanted: WantedImage): LockedReason {
  const [reason] = wanted.reasons;
  if (reason === undefined) throw new RangeError(`${wanted.name} is wanted by nobody`);
  return reason;
}

function sourceOf(reference: Reference): LockedSource {
  return {
    registry: reference.domain,
    repository: reference.path,
    reference: referenceToAsk(reference),
  };
}

function wantedCharts(release: ReleaseDocument) {
  return (release.value.spec.components ?? []).flatMap((component, index) => {
    if (component.chart === undefined) return [];
    const { ref, version } = component.chart;
    // Tags have no "+"; helm writes "_" in its place.
    const tag = version.replaceAll('+', '_');
    const reference = parseReference(`${ref.replace(/^oci:\/\//, '')}:${tag}`);
    const path = ['spec', 'components', index, 'chart', 'ref'];
    const reason = reasonAt(release, { component: component.name, because: 'its chart' }, path);
    return [{ name: formatReference(reference), version, component, reference, reason }];
  });
}

function wantedFiles(release: ReleaseDocument): PlannedFile[] {
  return (release.value.spec.files ?? []).map((file, index) => {
    const path = ['spec', 'files', index, 'name'];
    return {
      file,
      reason: reasonAt(release, { component: file.name, because: 'listed in files' }, path),
    };
  });
}

function reasonAt(
  release: ReleaseDocument,
  why: Pick<LockedReason, 'component' | 'because'>,
  path: Path,
): LockedReason {
  return { ...why, file: release.file, ...release.positionOf(path) };
}
