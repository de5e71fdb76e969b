import { isDeepStrictEqual } from 'node:util';
import type { TalosAnswer } from './our-answer.ts';

/** Files and errors of making them to the byte; of a refused configuration that it is refused, not the words. */
export function isSameAnswer(theirs: TalosAnswer, ours: TalosAnswer): boolean {
  if (theirs.refused !== undefined) return ours.refused !== undefined;
  return isDeepStrictEqual(theirs, ours);
}
