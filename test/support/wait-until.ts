import { setTimeout } from 'node:timers/promises';

/** What is waited for; `what` completes the sentence "waited 5 s for ...". */
export interface Wait {
  readonly what: string;
  /** 10 s unless given. */
  readonly timeoutMs?: number;
  /** What to show when the time is up, such as the end of a log. */
  readonly evidence?: () => string | Promise<string>;
}

const longestPauseMs = 50;

/**
 * Asks `isTrue` until it says yes, soon at first and every 50 ms later; throwing counts as no:
 * `await waitUntil(() => log.length === 1, { what: 'the end of the request' })`.
 * Rejects after `timeoutMs` with what it waited for, the last error as cause, and the evidence.
 */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  { what, timeoutMs = 10_000, evidence }: Wait,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  for (let pauseMs = 1; performance.now() < deadline; pauseMs *= 2) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      cause = error;
    }
    await setTimeout(Math.min(pauseMs, longestPauseMs));
  }
  const shown = (await evidence?.()) ?? '';
  throw new Error(`waited ${timeoutMs / 1000} s for ${what}\n${shown}`, { cause });
}
