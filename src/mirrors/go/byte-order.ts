/**
 * Below zero where Go's sorting has `a` before `b`: by bytes of UTF-8. `～` (U+FF5E) comes before `😀`, which
 * JavaScript, by halves of surrogate pairs, has the other way round.
 */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
