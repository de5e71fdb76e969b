/**
 * "Did you mean": the known word that is nearest to a mistyped one, or undefined if none is near.
 *
 * `suggest('image', ['images', 'name'])` → `images`; `suggest('xyz', ['name'])` → undefined.
 * Near means: equal but for case, `-` and `_`; or at most a third of the letters differ (a swap of
 * two neighbours counts once). The first of several equally near words wins.
 */
export function suggest(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const distance = distanceOf(plain(typed), plain(word));
    if (distance < bestDistance && isNear(distance, typed, word)) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}

/** The clause for a message: `; did you mean "images"?`, or nothing. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const word = suggest(typed, known);
  return word === undefined ? '' : `; did you mean "${word}"?`;
}

const LONGEST_WORD = 64;

function plain(word: string): string {
  return word.slice(0, LONGEST_WORD).toLowerCase().replaceAll(/[-_]/g, '');
}

function isNear(distance: number, typed: string, word: string): boolean {
  return distance <= Math.max(1, Math.floor(Math.max(typed.length, word.length) / 3));
}

/** Optimal string alignment: insert, delete, replace, swap neighbours, each at the cost of one. */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(above, column) + 1,
          at(current, column - 1) + 1,
          at(above, column - 1) + (same ? 0 : 1),
          swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = above;
    above = current;
  }
  return at(above, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
