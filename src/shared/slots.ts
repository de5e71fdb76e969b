/** Waiting one's turn: at most so many at a time, or one after the other by key. */

/** At most `limit` pieces of work at a time, first come, first served: `slots.run(() => fetch())`. */
export class Slots {
  #free: number;
  readonly #waiting: Array<() => void> = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // A slot is handed over directly, so that nobody can overtake.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** Work with the same key runs one after the other, however the one before ended. */
export class KeyedLock {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    const end: Promise<void> = turn.then(
      () => this.#forget(key, end),
      () => this.#forget(key, end),
    );
    this.#last.set(key, end);
    return turn;
  }

  #forget(key: string, end: Promise<void>): void {
    if (this.#last.get(key) === end) this.#last.delete(key);
  }
}
