import type { Lock } from '../../release/lock.ts';
import { blobsOfImage } from '../../release/locked-blobs.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import { alignColumns } from '../columns.ts';
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

function classTable({ spec }: Lock): string {
  const groups = Map.groupBy(spec.images, (image) => image.class);
  if (groups.size === 0) return '';
  const rows = [...groups].map(([name, images]) => {
    const blobs = new Map(images.flatMap(blobsOfImage).map((blob) => [blob.digest, blob.size]));
    const size = [...blobs.values()].reduce((sum, bytes) => sum + bytes, 0);
    const from = [...new Set(images.map((image) => image.source.registry))].join(', ');
    return [name, String(images.length), formatBytes(size), from];
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

function closing({ lock, notes, output, isChanged, policyFile }: PlanView): string {
  const words = [
    'slipway bundle create',
    output,
    ...(policyFile === undefined ? [] : ['--policy', policyFile]),
    ...(notes.some((note) => note.kind === 'not-for-others') ? ['--own-use'] : []),
    '-o',
    `${lock.metadata.name}.bundle`,
  ];
  const done = isChanged ? `locked in ${output}` : `${output} is up to date`;
  return `${done}      next: ${words.join(' ')}`;
}
