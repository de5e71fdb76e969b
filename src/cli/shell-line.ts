import { shellWord } from '../shared/shell-word.ts';

/** A command line that a shell takes as it is: `['slipway', 'load', 'a b']` → `slipway load 'a b'`. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
