import type { Lock } from '../../release/lock.ts';
import { blobsOfImage } from '../../release/locked-blobs.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import { bundleNameFor } from '../bundle/bundle-name.ts';
import { alignColumns } from '../columns.ts';
import { shellLine } from '../shell-line.ts';
import type { PlanNote } from './plan-notes.ts';

/** A finished plan, for the terminal. */
export interface PlanView {
  readonly lock: Lock;
  readonly notes: readonly PlanNote[];
  /** The Lock's file as the user would type it. */
  readonly output: string;
  readonly isChanged: boolean;
  /** The policy's file, which the next command needs too. */
  readonly policyFile: string | undefined;
}

/** The answer first, then classes, what to know, and the next command (ux.md). */
export function formatPlan(view: PlanView): string {
  return [headline(view.lock), classTable(view.lock), noteList(view.notes), closing(view)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function headline({ metadata, spec }: Lock): string {
  const { images, charts, files, bytes, uniqueBytes } = spec.totals;
  const counts = [
    formatCount(images, 'image'),
    ...(charts > 0 ? [formatCount(charts, 'chart')] : []),
    ...(files > 0 ? [formatCount(files, 'file')] : []),
    `${formatBytes(bytes)} (${formatBytes(uniqueBytes)} of it once)`,
  ];
  return `${metadata.name} ${metadata.version} for ${spec.platforms.join(', ')}: ${counts.join(', ')}`;
}

/** The images of one class: how many, how many bytes, from where. */
export interface ClassTotal {
  readonly class: string;
  readonly images: number;
  /** Each blob once. */
  readonly bytes: number;
  readonly from: readonly string[];
}

/** The rows of the table of classes, in the order in which the Lock first names them. */
export function classTotals({ spec }: Lock): readonly ClassTotal[] {
  const groups = Map.groupBy(spec.images, (image) => image.class);
  return [...groups].map(([name, images]) => {
    const blobs = new Map(images.flatMap(blobsOfImage).map((blob) => [blob.digest, blob.size]));
    return {
      class: name,
      images: images.length,
      bytes: [...blobs.values()].reduce((sum, size) => sum + size, 0),
      from: [...new Set(images.map((image) => image.source.registry))],
    };
  });
}

function classTable(lock: Lock): string {
  const totals = classTotals(lock);
  if (totals.length === 0) return '';
  const rows = totals.map(({ class: name, images, bytes, from }) => {
    return [name, String(images), formatBytes(bytes), from.join(', ')];
  });
  const table = alignColumns([['class', 'images', 'size', 'from'], ...rows]);
  return table.map((line) => `  ${line}`).join('\n');
}

function noteList(notes: readonly PlanNote[]): string {
  if (notes.length === 0) return '';
  const head = notes.length === 1 ? '1 thing to know' : `${notes.length} things to know`;
  const lines = notes.map(({ text, place }) =>
    place === undefined ? `  - ${text}` : `  - ${text}  (${place})`,
  );
  return [head, ...lines].join('\n');
}

function closing(view: PlanView): string {
  const { output, isChanged } = view;
  const done = isChanged ? `locked in ${output}` : `${output} is up to date`;
  return `${done}      next: ${nextAfterPlan(view)}`;
}

/** The command that makes a bundle of this Lock, ready to be pasted. */
export function nextAfterPlan({ lock, notes, output, policyFile }: PlanView): string {
  return shellLine([
    ...['slipway', 'bundle', 'create', output],
    ...(policyFile === undefined ? [] : ['--policy', policyFile]),
    ...(notes.some((note) => note.kind === 'not-for-others') ? ['--own-use'] : []),
    ...['-o', bundleNameFor(output, lock.metadata.name)],
  ]);
}
