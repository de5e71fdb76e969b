/** What to send for a Range header: all, a part, or nothing. */
export type RangeAnswer =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'unsatisfiable' };

const whole: RangeAnswer = { kind: 'whole' };

/**
 * `parseRange('bytes=2-', 10)` → `{ kind: 'part', first: 2, last: 9 }`; also `2-5` and `-3`.
 *
 * Positions are inclusive. What is not a byte range, and several ranges in one header, get the
 * whole content, as RFC 9110 section 14.2 allows. Nothing to send in the range, also because it ends
 * before it begins: `unsatisfiable`.
 */
export function parseRange(header: string | undefined, sizeBytes: number): RangeAnswer {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (match === null) return whole;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return whole;
  if (from === '') return suffix(Number(to), sizeBytes);
  const first = Number(from);
  const isBackwards = to !== '' && Number(to) < first;
  if (isBackwards || first >= sizeBytes) return { kind: 'unsatisfiable' };
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  return { kind: 'part', first, last };
}

function suffix(count: number, sizeBytes: number): RangeAnswer {
  if (count === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', first: Math.max(0, sizeBytes - count), last: sizeBytes - 1 };
}

/** The positions of an uploaded chunk, both inclusive. */
export interface ChunkRange {
  readonly first: number;
  readonly last: number;
}

/**
 * `parseContentRange('0-99')` → `{ first: 0, last: 99 }`, also in HTTP's own form
 * `bytes 0-99/*`. Undefined for anything else.
 * Source: https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pushing-a-blob-in-chunks
 */
export function parseContentRange(header: string): ChunkRange | undefined {
  const match = /^(?:bytes[ =])?\s*(\d{1,15})-(\d{1,15})(?:\/(?:\d{1,15}|\*))?$/i.exec(
    header.trim(),
  );
  if (match === null) return undefined;
  const range = { first: Number(match[1]), last: Number(match[2]) };
  return range.last < range.first ? undefined : range;
}
