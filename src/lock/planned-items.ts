import type { TypedDocument } from '../documents/document-kind.ts';
import type { Problem } from '../documents/problem.ts';
import type { Reference } from '../oci/reference.ts';
import type { LockedReason, LockedSource } from '../release/lock.ts';
import type { Matrix } from '../release/matrix.ts';
import type { FileEntry, Release } from '../release/release.ts';
import type { SourcePolicy } from '../release/source-policy.ts';
import { type WantedChart, wantedCharts } from '../release/wanted-charts.ts';
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
  readonly wanted: WantedChart;
  readonly placement: Placement;
  readonly source: LockedSource;
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
  const place = <Wanted extends WantedImage | WantedChart>(wanted: Wanted) => {
    const placement = placeImage(wanted, policy);
    if (placement.kind === 'placed') {
      return [{ wanted, placement, source: sourceOf(wanted.reference) }];
    }
    const { file, line, column } = firstReason(wanted);
    const { code, message, hint } = placement;
    problems.push({ file, line, column, code, message, hint });
    return [];
  };
  const images = wantedImages(release, matrix).flatMap(place);
  const charts = wantedCharts(release).flatMap(place);
  return { images, charts, files: wantedFiles(release), problems };
}

/** The place that asked first; everything that is wanted has one. */
export function firstReason(wanted: WantedImage | WantedChart): LockedReason {
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

function wantedFiles(release: ReleaseDocument): PlannedFile[] {
  return (release.value.spec.files ?? []).map((file, index) => {
    const place = release.positionOf(['spec', 'files', index, 'name']);
    const why = { component: file.name, because: 'listed in files' };
    return { file, reason: { ...why, file: release.file, ...place } };
  });
}
