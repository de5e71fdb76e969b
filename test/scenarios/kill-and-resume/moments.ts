/** Moments spread evenly over a run, found again in another run of the same work at another speed. */
import { setTimeout as wait } from 'node:timers/promises';

/** When each transfer of a measured run began, and when the run ended, in ms from its start. */
export interface Timeline {
  readonly begins: readonly number[];
  readonly totalMs: number;
}

/** A run under way. */
export interface Underway {
  /** Transfers that have begun. */
  begun(): number;
  isEnded(): boolean;
}

/**
 * Waits for the moment of a run that stood at `atMs` in the measured one: before the first transfer by
 * the clock, later by how many have begun, plus `chance` of the way to the next. A busy machine may
 * be several times slower than it was when it was measured.
 */
export async function waitForMoment(
  { begins, totalMs }: Timeline,
  atMs: number,
  run: Underway,
  chance: number,
): Promise<void> {
  const wanted = begins.filter((beginMs) => beginMs <= atMs).length;
  if (wanted === 0) {
    await wait(atMs);
    return;
  }
  while (!run.isEnded() && run.begun() < wanted) await wait(1);
  const from = begins[wanted - 1] ?? 0;
  const until = begins[wanted] ?? totalMs;
  await wait(chance * (until - from));
}

/** Numbers in [0, 1) that are the same in every run: a linear congruential generator. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
