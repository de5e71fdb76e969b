/** Bounded concurrency: many items, a few at a time, all outcomes kept in input order. */

/** How one item of {@link settleBounded} ended. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown };

/**
 * Runs `work` on every item, at most `limit` at a time, and keeps every failure.
 *
 * `settleBounded([1, 2], 8, f, signal)` → one {@link Outcome} per item, in input order, whatever
 * the order of completion. Stops starting new items once `signal` aborts, then rejects.
 */
export async function settleBounded<Item, T>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<T>,
  signal: AbortSignal,
): Promise<Outcome<T>[]> {
  const outcomes = new Array<Outcome<T>>(items.length);
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) {
      signal.throwIfAborted();
      outcomes[index] = await settle(work(item, index));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return outcomes;
}

/**
 * Like {@link settleBounded} where one failure makes the rest pointless: rejects with the first
 * failure in input order after the items under way have ended; later items are not started.
 */
export async function mapBounded<Item, T>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<T>,
  signal: AbortSignal,
): Promise<T[]> {
  const stop = new AbortController();
  const outcomes = await settleBounded(
    items,
    limit,
    async (item, index) => {
      if (stop.signal.aborted) return undefined;
      try {
        return { value: await work(item, index) };
      } catch (error) {
        stop.abort();
        throw error;
      }
    },
    signal,
  );
  const failed = outcomes.find((outcome) => !outcome.ok);
  if (failed !== undefined && !failed.ok) throw failed.error;
  return outcomes.flatMap((outcome) =>
    outcome.ok && outcome.value !== undefined ? [outcome.value.value] : [],
  );
}

async function settle<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    return { ok: false, error };
  }
}

/**
 * Lets several callers of the same key share one piece of work while it is under way.
 *
 * `flights.run('sha256:ab', fetch)` called twice before the first ends → one fetch, two results.
 */
export class SingleFlight<T> {
  readonly #flying = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#flying.get(key);
    if (known !== undefined) return known;
    const flight = work().finally(() => this.#flying.delete(key));
    this.#flying.set(key, flight);
    return flight;
  }
}
