import type { Lock } from '../release/lock.ts';

/** What a bundle for others may not hold, and why: `its licence is not stated`. */
export interface KeptArtefact {
  readonly name: string;
  readonly because: string;
}

/** What a Lock holds for own use only, or for a person to look at first (R0-29). */
export function notForOthers({ spec }: Lock): readonly KeptArtefact[] {
  return [...spec.images, ...spec.charts].flatMap(
    ({ name, redistribution, redistributionBecause: because }) =>
      redistribution === 'allowed' ? [] : [{ name, because: because ?? unsaid[redistribution] }],
  );
}

/** For Locks that give no reason. */
const unsaid = {
  review: 'a person has to look at its licence first',
  'own-use-only': 'it is for own use only',
} as const;
