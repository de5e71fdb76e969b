/** Which cases a run has: fixed ones, unless SLIPWAY_SEED and SLIPWAY_RUNS say otherwise. */

/** `SLIPWAY_SEED=random` takes a new seed; it is part of the test's name. */
export function runOptions(usual: { readonly count: number }): {
  readonly seed: number;
  readonly count: number;
} {
  const { SLIPWAY_SEED: seed, SLIPWAY_RUNS: runs } = process.env;
  return { seed: seedOf(seed), count: runs === undefined ? usual.count : Number(runs) };
}

function seedOf(text = '20261130'): number {
  return text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text);
}
