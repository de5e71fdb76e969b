import { setTimeout } from 'node:timers/promises';

/** What is waited for; `what` completes the sentence "waited 5 s for ...". */
export interface Wait {
  readonly what: string;
  readonly timeoutMs: number;
  /** What to show when the time is up, such as the end of a log. */
  readonly evidence?: () => string | Promise<string>;
}

/**
 * Asks `isTrue` every 50 ms until it says yes; throwing counts as no.
 * Rejects after `timeoutMs` with what it waited for, the last error as cause, and the evidence.
 */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  wait: Wait,
): Promise<void> {
  const deadline = performance.now() + wait.timeoutMs;
  let cause: unknown;
  while (performance.now() < deadline) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      cause = error;
    }
    await setTimeout(50);
  }
  const evidence = (await wait.evidence?.()) ?? '';
  throw new Error(`waited ${wait.timeoutMs / 1000} s for ${wait.what}\n${evidence}`, { cause });
}
