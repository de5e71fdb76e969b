import type { Regexp } from './syntax.ts';

/** True when repetitions inside of each other stand for at most so many copies (Go allows 1000). */
export function fitsRepeats(node: Regexp, most: number): boolean {
  switch (node.op) {
    case 'repeat':
      return fitsRepeat(node, most);
    case 'capture':
      return fitsRepeats(node.sub, most);
    case 'concat':
    case 'alternate':
      return node.subs.every((sub) => fitsRepeats(sub, most));
    case 'empty':
    case 'char':
    case 'assert':
      return true;
  }
}

function fitsRepeat({ sub, min, max }: Extract<Regexp, { op: 'repeat' }>, most: number): boolean {
  if (max === 0) return true;
  const copies = max < 0 ? min : max;
  if (copies > most) return false;
  // `*` and `+` have no number of their own.
  return fitsRepeats(sub, copies > 1 ? Math.floor(most / copies) : most);
}
