/** Lines `start` to before `end` of one text are those of the other; both sides may be empty. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Larger tables than this are not worth their memory: then the whole middle is one change. */
const mostCells = 4_000_000;

/**
 * What makes `after` of `before`, from the top: `['a', 'b'], ['a', 'x', 'b']` → one change that puts in
 * line 1. As few lines as possible change.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly LineChange[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  return changesOf(old, fresh).map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + start,
    oldEnd: oldEnd + start,
    newStart: newStart + start,
    newEnd: newEnd + start,
  }));
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a[same] === b[same]) same += 1;
  return same;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let same = 0;
  while (same < most && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  return same;
}

function changesOf(old: readonly string[], fresh: readonly string[]): readonly LineChange[] {
  if (old.length === 0 && fresh.length === 0) return [];
  const whole = { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length };
  if (old.length === 0 || fresh.length === 0) return [whole];
  const width = fresh.length + 1;
  if ((old.length + 1) * width > mostCells) return [whole];
  return walk(old, fresh, lengthsOfCommonLines(old, fresh));
}

/** How many lines are common from each pair of positions on, row by row. */
function lengthsOfCommonLines(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  return lengths;
}

/** The lines that stay, in order, and between them what changes. */
function walk(
  old: readonly string[],
  fresh: readonly string[],
  lengths: Uint32Array,
): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [oldStart, newStart] = [0, 0];
  const end: Pair = [old.length, fresh.length];
  for (const [oldEnd, newEnd] of [...keptPairs(old, fresh, lengths), end]) {
    if (oldEnd > oldStart || newEnd > newStart) {
      changes.push({ oldStart, oldEnd, newStart, newEnd });
    }
    [oldStart, newStart] = [oldEnd + 1, newEnd + 1];
  }
  return changes;
}

type Pair = readonly [old: number, fresh: number];

function keptPairs(
  old: readonly string[],
  fresh: readonly string[],
  lengths: Uint32Array,
): readonly Pair[] {
  const width = fresh.length + 1;
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    const down = lengths[(row + 1) * width + column] ?? 0;
    const right = lengths[row * width + column + 1] ?? 0;
    if (old[row] === fresh[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (down >= right) row += 1;
    else column += 1;
  }
  return pairs;
}
