import type { TypedDocument } from '../documents/document-kind.ts';
import type { Path, Problem } from '../documents/problem.ts';
import type { Reference } from '../oci/reference.ts';
import type { Matrix } from './matrix.ts';
import { type Agreement, commonAgreements, contradictions } from './mention.ts';
import { identityOf, readReference } from './references.ts';
import type { Release } from './release.ts';
import { type MentionedChart, mentionedCharts } from './wanted-charts.ts';
import {
  type ListedImage,
  listImages,
  type MentionedImage,
  mentionedImages,
  sandboxReference,
} from './wanted-images.ts';

type ReleaseDocument = TypedDocument<'Release', Release>;

/** Checks every image and chart reference of a Release, and that repeated ones agree. */
export function checkImages(document: ReleaseDocument, matrix: Matrix): readonly Problem[] {
  const images = listImages(document.value);
  const mentions = mentionedImages(document, matrix);
  return [
    ...images.flatMap((image) => checkReference(image, document)),
    ...images.flatMap((image) => checkPlatforms(image, document)),
    ...contradictions(mentions, imageAgreements, document),
    ...checkCharts(document),
    ...contradictions(mentionedCharts(document), chartAgreements, document),
    ...checkSandbox(document, sandboxReference(document.value, matrix), mentions),
  ];
}

/** Class and licence of the sandbox image stand where it is listed, so it cannot be named alone. */
function checkSandbox(
  document: ReleaseDocument,
  reference: Reference | undefined,
  mentions: readonly MentionedImage[],
): Problem[] {
  const { sandbox } = document.value.spec;
  if (sandbox === undefined) return [];
  const identity = reference && identityOf(reference);
  if (mentions.some((mention) => mention.identity === identity)) return [];
  const message = `"${sandbox}" is not among the images of the components`;
  const hint = 'list it under "images" of a component';
  return [document.problemAt(['spec', 'sandbox'], { code: 'SANDBOX_NOT_LISTED', message, hint })];
}

const imageAgreements: ReadonlyArray<Agreement<MentionedImage>> = [
  ['digests', ({ reference }) => reference.digest],
  ...commonAgreements,
  ['flat names', (image) => image.flatName],
];

const chartAgreements: ReadonlyArray<Agreement<MentionedChart>> = [
  ...commonAgreements,
  ['versions', (chart) => chart.version],
];

function checkReference({ ref, path }: ListedImage, document: ReleaseDocument): Problem[] {
  const reference = readReference(ref);
  const code = 'IMAGE_REFERENCE_INVALID';
  if ('reason' in reference) {
    const hint = 'write [registry/]path[:tag][@digest], e.g. registry.k8s.io/pause:3.9';
    const message = `"${ref}" is not an image reference: ${reference.reason}`;
    return [document.problemAt(path, { code, message, hint })];
  }
  if (reference.tag !== undefined || reference.digest !== undefined) return [];
  const hint = `if the newest one is meant, say so: ${ref}:latest`;
  return [document.problemAt(path, { code, message: `"${ref}" has neither tag nor digest`, hint })];
}

function checkPlatforms(image: ListedImage, document: ReleaseDocument): Problem[] {
  const known = document.value.spec.platforms;
  const base = image.path.slice(0, -1);
  return (image.platforms ?? []).flatMap((platform, index) => {
    if (known.includes(platform)) return [];
    const message = `"${platform}" is not one of the Release's platforms (${known.join(', ')})`;
    const path: Path = [...base, 'platforms', index];
    const hint = 'add it to spec.platforms, or take it away here';
    return [document.problemAt(path, { code: 'PLATFORM_INVALID', message, hint })];
  });
}

function checkCharts(document: ReleaseDocument): Problem[] {
  return (document.value.spec.components ?? []).flatMap((component, index) => {
    if (component.chart === undefined) return [];
    const reason = chartFault(component.chart.ref);
    if (reason === undefined) return [];
    const path: Path = ['spec', 'components', index, 'chart', 'ref'];
    const message = `"${component.chart.ref}" ${reason}`;
    const hint = 'write oci://registry/path, e.g. oci://hub.oepkgs.net/charts/metrics-server';
    return [document.problemAt(path, { code: 'CHART_REFERENCE_INVALID', message, hint })];
  });
}

function chartFault(ref: string): string | undefined {
  if (!ref.startsWith('oci://')) return 'is not a chart in a registry (oci://…)';
  const reference = readReference(ref.slice('oci://'.length));
  if ('reason' in reference) return `is not a chart reference: ${reference.reason}`;
  if (reference.tag === undefined && reference.digest === undefined) return undefined;
  return 'has a tag or digest; the version stands in "version"';
}
