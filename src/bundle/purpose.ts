import type { Lock } from '../release/lock.ts';

/** Names of what a Lock holds for own use only, or for a person to look at first (R0-29). */
export function notForOthers({ spec }: Lock): readonly string[] {
  return [...spec.images, ...spec.charts]
    .filter(({ redistribution }) => redistribution !== 'allowed')
    .map(({ name }) => name);
}
