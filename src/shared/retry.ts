import { setTimeout as sleep } from 'node:timers/promises';
import { SlipwayError } from './errors.ts';
import type { Random } from './ports.ts';

/** How often and how long to wait between tries. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Says whether a failed try may be repeated. */
export type RetryDecision = (error: unknown) => boolean;

/** The default decision: errors that say of themselves that a retry can help. */
export const retryIfMarked: RetryDecision = (error) => error instanceof SlipwayError && error.retry;

/**
 * Repeats `work` with exponential back-off and full jitter until it succeeds, the decision says no,
 * the tries are used up, or `signal` aborts; then rejects with the last error.
 * Jitter spreads clients that failed together: wait = random × min(max, first × 2^n).
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  options: {
    readonly policy: RetryPolicy;
    readonly signal: AbortSignal;
    readonly random: Random;
    readonly decide?: RetryDecision;
  },
): Promise<T> {
  const { policy, signal, random, decide = retryIfMarked } = options;
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= policy.attempts || signal.aborted || !decide(error)) throw error;
      const ceiling = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1));
      await sleep(random() * ceiling, undefined, { signal });
    }
  }
}
