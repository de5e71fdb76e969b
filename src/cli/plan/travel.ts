import type { Redistribution } from '../../release/lock.ts';

/** What the judgement about passing on an artefact means, in words. */
export const travel: Readonly<Record<Redistribution, string>> = {
  allowed: 'may be given to others',
  review: 'a person has to look at its licence before it travels',
  'own-use-only': 'for own use only',
};
