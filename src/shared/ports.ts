/** The few things of the world that code below `cli` may not reach for by itself (style rule 13). */

/** Wall clock and monotonic time, both in milliseconds. */
export interface Clock {
  now(): number;
  monotonic(): number;
}

/** A source of randomness in [0, 1), for jitter only, never for keys. */
export type Random = () => number;

/** Structured log lines; `fields` must not hold secrets in clear. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/**
 * The machine's own clock. The composition root passes it in; where an option has it as its default, the
 * option says so.
 */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** A log that keeps nothing. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {} };
