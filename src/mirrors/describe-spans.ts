import type { ReleaseSpan } from './release-spans.ts';

/**
 * For which releases something holds, in words: `before 1.7.32, 2.2.0–2.2.1, from 2.3.3`; undefined when it
 * holds for all of them. `holds` are the versions that were looked at ({@link ReleaseSpan.like}).
 */
export function describeSpans(
  spans: readonly ReleaseSpan[],
  holds: ReadonlySet<string>,
): string | undefined {
  if (spans.every(({ like }) => holds.has(like))) return undefined;
  const runs: ReleaseSpan[][] = [];
  for (const [at, span] of spans.entries()) {
    if (!holds.has(span.like)) continue;
    const before = spans[at - 1];
    if (before === undefined || !holds.has(before.like)) runs.push([span]);
    else runs.at(-1)?.push(span);
  }
  return runs.map((run) => describeRun(run, spans)).join(', ');
}

/** Releases one after the other that all hold; open on a side where a line, or everything known, ends there. */
function describeRun(run: readonly ReleaseSpan[], all: readonly ReleaseSpan[]): string {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return '';
  const [left, right] = [first.from ?? first.line, endOf(last)];
  if (left === right || isFirstOfLine(first, last)) return right;
  return openStart(first, last, all) ?? openEnd(first, last, all) ?? `${left}–${right}`;
}

/** `before 1.7.32` from the oldest of all on, `1.7 before 1.7.32` from the first of a line on. */
function openStart(
  first: ReleaseSpan,
  { before, line }: ReleaseSpan,
  all: readonly ReleaseSpan[],
): string | undefined {
  if (first.from !== undefined || before === undefined) return undefined;
  if (first === all[0]) return `before ${before}`;
  return first.line === line ? `${line} before ${before}` : undefined;
}

/** `from 1.7.8` up to the newest of all, `1.7 from 1.7.8` up to the newest of a line. */
function openEnd(
  { from, line }: ReleaseSpan,
  last: ReleaseSpan,
  all: readonly ReleaseSpan[],
): string | undefined {
  if (from === undefined || last.before !== undefined) return undefined;
  if (last === all.at(-1)) return `from ${from}`;
  return line === last.line ? `${line} from ${from}` : undefined;
}

function endOf(span: ReleaseSpan): string {
  return span.before === undefined ? span.line : bare(span);
}

/** A single release: `1.29.0` needs no more words. */
function isFirstOfLine(first: ReleaseSpan, last: ReleaseSpan): boolean {
  return first === last && last.before !== undefined && bare(last).endsWith('.0');
}

/** `v1.28.5+k3s1` → `v1.28.5`. */
function bare({ version }: ReleaseSpan): string {
  return version.replace(/\+.*$/, '');
}
