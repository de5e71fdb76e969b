import { diffLines, type LineChange } from '../diff/line-diff.ts';

/** Three states of one file: before we wrote, as we wrote it, and what others made of it since. */
export interface EditedText {
  readonly before: string;
  readonly ours: string;
  readonly now: string;
}

/**
 * Takes our change out of a text that others have changed since: before `a`, ours `a b`, now `a b c` →
 * `a c`. Undefined where their lines touch ours, so that only a person can say what shall stay.
 */
export function takeOut({ before, ours, now }: EditedText): string | undefined {
  const lines = { before: before.split('\n'), ours: ours.split('\n'), now: now.split('\n') };
  const back = diffLines(lines.ours, lines.before);
  const theirs = diffLines(lines.ours, lines.now);
  const isApart = (change: LineChange, other: LineChange) =>
    !touches(change, other) || isTableBehind(change, other, lines.now);
  if (!back.every((change) => theirs.every((other) => isApart(change, other)))) return undefined;
  const steps = [
    ...back.map((change) => ({ change, lines: lines.before })),
    ...theirs.map((change) => ({ change, lines: lines.now })),
  ].sort((a, b) => a.change.oldStart - b.change.oldStart);
  const result: string[] = [];
  let at = 0;
  for (const { change, lines: source } of steps) {
    result.push(...lines.ours.slice(at, change.oldStart));
    result.push(...source.slice(change.newStart, change.newEnd));
    at = change.oldEnd;
  }
  return [...result, ...lines.ours.slice(at)].join('\n');
}

function touches(a: LineChange, b: LineChange): boolean {
  return a.oldStart <= b.oldEnd && b.oldStart <= a.oldEnd;
}

/** A TOML table that somebody put right behind ours stands for itself. */
function isTableBehind(ours: LineChange, theirs: LineChange, now: readonly string[]): boolean {
  const added = now.slice(theirs.newStart, theirs.newEnd);
  const isInsertion = theirs.oldStart === theirs.oldEnd && theirs.oldStart === ours.oldEnd;
  const first = added.find((line) => line.trim() !== '');
  return isInsertion && first !== undefined && /^\s*\[/.test(first);
}
