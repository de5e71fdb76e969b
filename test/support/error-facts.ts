import { SlipwayError } from '../../src/shared/errors.ts';

/** What tests compare of an error: `{ code, data }`; anything else than an error of ours as it is. */
export function errorFacts(error: unknown): unknown {
  return error instanceof SlipwayError ? { code: error.code, data: error.data } : error;
}
