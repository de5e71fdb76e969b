/** Which cases a run has: fixed ones, unless SLIPWAY_SEED and SLIPWAY_RUNS say otherwise. */

/** `SLIPWAY_SEED=random` takes a new seed; it is part of the test's name. */
export function runOptions(usual: { readonly count: number }): {
  readonly seed: number;
  readonly count: number;
  /** True for the fixed cases. */
  readonly isUsual: boolean;
} {
  const { SLIPWAY_SEED: seed, SLIPWAY_RUNS: runs } = process.env;
  return {
    seed: seedOf(seed),
    count: runs === undefined ? usual.count : Number(runs),
    isUsual: seed === undefined && runs === undefined,
  };
}

function seedOf(text = '20261130'): number {
  return text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text);
}
