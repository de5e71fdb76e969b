interface Sample {
  readonly atMs: number;
  readonly bytes: number;
  readonly items: number;
}

const windowMs = 10_000;
const sampleEveryMs = 250;
/** Before that, a rate says more about the first packet than about the line. */
const firstRateAfterMs = 1000;

/** Speed over the last ten seconds: old enough to be calm, young enough to follow a change. */
export class RateMeter {
  #samples: Sample[] = [];

  /** Takes the totals so far; at most four samples a second are kept. */
  record(total: { readonly bytes: number; readonly items: number }, atMs: number): void {
    const last = this.#samples.at(-1);
    const before = this.#samples.at(-2);
    const sample = { atMs, bytes: total.bytes, items: total.items };
    if (last !== undefined && before !== undefined && last.atMs - before.atMs < sampleEveryMs) {
      this.#samples[this.#samples.length - 1] = sample;
      return;
    }
    const oldestMs = atMs - windowMs;
    // The newest sample before the window stays: it is where the window starts.
    this.#samples = [...this.#samples, sample].filter(
      (_sample, index, all) => (all[index + 1]?.atMs ?? oldestMs) >= oldestMs,
    );
  }

  /** Units per second until `atMs`; zero while too little is known. */
  perSecond(atMs: number): { readonly bytes: number; readonly items: number } {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    const spanMs = first === undefined ? 0 : atMs - first.atMs;
    if (first === undefined || last === undefined || spanMs < firstRateAfterMs) {
      return { bytes: 0, items: 0 };
    }
    return {
      bytes: ((last.bytes - first.bytes) / spanMs) * 1000,
      items: ((last.items - first.items) / spanMs) * 1000,
    };
  }
}
