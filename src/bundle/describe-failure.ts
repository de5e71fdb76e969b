import { describeError, SlipwayError } from '../shared/errors.ts';

/** One line of an error that sums up many: `pause:3.9: … sent … where … was asked for (BLOB_DIGEST_MISMATCH)`. */
export function describeFailure(name: string, error: unknown): string {
  const code = error instanceof SlipwayError ? ` (${error.code})` : '';
  return `${name}: ${describeError(error)}${code}`;
}
