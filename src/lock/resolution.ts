import type { Problem } from '../documents/problem.ts';
import type { LockedReason } from '../release/lock.ts';
import { describeError, type ErrorCategory, SlipwayError } from '../shared/errors.ts';

/** One artefact resolved, or everything that is in its way. */
export type Resolution<T> =
  | { readonly kind: 'resolved'; readonly value: T }
  | {
      readonly kind: 'failed';
      readonly problems: readonly Problem[];
      /** Who has to act. */
      readonly category: ErrorCategory;
    };

/** Wraps a value. */
export function resolved<T>(value: T): Resolution<T> {
  return { kind: 'resolved', value };
}

/** A problem, of the documents unless another category is given, at the place that asked for the artefact. */
export function refused(
  reason: LockedReason,
  problem: Pick<Problem, 'code' | 'message' | 'hint'>,
  category: ErrorCategory = 'input',
): Resolution<never> {
  return { kind: 'failed', problems: [{ ...placeOf(reason), ...problem }], category };
}

/**
 * Turns the failure of one artefact into a problem, so that the others are still resolved. What is
 * no error of ours is a fault of Slipway and is thrown again.
 */
export async function orFailed<T>(
  reason: LockedReason,
  name: string,
  work: () => Promise<Resolution<T>>,
): Promise<Resolution<T>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SlipwayError)) throw error;
    const { code, fix: hint } = error;
    const message = `${name}: ${describeError(error)}`;
    return {
      kind: 'failed',
      problems: [{ ...placeOf(reason), code, message, hint }],
      category: error.category,
    };
  }
}

function placeOf({ file, line, column }: LockedReason) {
  return { file, line, column };
}
