/** How fast one registry is asked: a pure state machine of additive increase, multiplicative decrease. */

/** Requests at the same time, the pause between their starts, and when the next may start. */
export interface Pace {
  /** Fraction kept, so that many successes together widen the window by one. */
  readonly window: number;
  readonly intervalMs: number;
  /** Nothing starts before this time of the monotonic clock. */
  readonly resumeAtMs: number;
  /** Requests that started before this were sent at the old pace and say nothing about the new one. */
  readonly cutAtMs: number;
}

const firstIntervalMs = 100;
const longestIntervalMs = 10_000;
/** Pauses shorter than this are no pause. */
const shortestIntervalMs = 10;

/** The pace at the start: as many as allowed, no pause. */
export function fullPace(most: number): Pace {
  return { window: most, intervalMs: 0, resumeAtMs: 0, cutAtMs: Number.NEGATIVE_INFINITY };
}

/** After an answer that was not throttled: first the pause shrinks, then the window grows by one per round. */
export function afterSuccess(pace: Pace, most: number): Pace {
  if (pace.intervalMs > 0) {
    const intervalMs = pace.intervalMs * 0.75;
    return { ...pace, intervalMs: intervalMs < shortestIntervalMs ? 0 : intervalMs };
  }
  if (pace.window >= most) return pace;
  return { ...pace, window: Math.min(most, pace.window + 1 / pace.window) };
}

/**
 * After a 429 for a request that started at `startedAtMs`: the window is halved, and at a window of one
 * the pause doubles; once per wave of throttled answers, else one wave would stop everything.
 */
export function afterThrottle(
  pace: Pace,
  answer: { readonly startedAtMs: number; readonly nowMs: number; readonly retryAfterMs?: number },
): Pace {
  const resumeAtMs = Math.max(pace.resumeAtMs, answer.nowMs + (answer.retryAfterMs ?? 0));
  if (answer.startedAtMs <= pace.cutAtMs) return { ...pace, resumeAtMs };
  const isSlowest = pace.window < 2;
  const intervalMs = Math.min(Math.max(pace.intervalMs * 2, firstIntervalMs), longestIntervalMs);
  return {
    window: isSlowest ? 1 : Math.floor(pace.window / 2),
    intervalMs: isSlowest ? intervalMs : pace.intervalMs,
    resumeAtMs,
    cutAtMs: answer.nowMs,
  };
}

/** How long the next request has to wait for its time, in ms; the window is the caller's to keep. */
export function waitMs(pace: Pace, lastStartMs: number, nowMs: number): number {
  return Math.max(0, pace.resumeAtMs - nowMs, lastStartMs + pace.intervalMs - nowMs);
}
