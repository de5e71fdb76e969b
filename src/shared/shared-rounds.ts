/**
 * Work that is done for many at once, such as an fsync: who asks while it is under way shares the next
 * round, which begins after the call and so takes along all that was ready before it.
 *
 * `const syncs = new SharedRounds(() => file.datasync())`, then `await syncs.next()`. A failure is told to all
 * who share the round; the next round begins anew.
 */
export class SharedRounds {
  readonly #work: () => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #unfinished = 0;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** True when no round is under way or due. */
  get isIdle(): boolean {
    return this.#unfinished === 0;
  }

  /** Resolves when a round that begins after this call has ended. */
  next(): Promise<void> {
    this.#next ??= this.#after(this.#last);
    return this.#next;
  }

  /** Resolves when every round that is due has ended, however it ended. */
  settled(): Promise<void> {
    return this.#last;
  }

  #after(before: Promise<void>): Promise<void> {
    const round = before.then(() => {
      this.#next = undefined;
      return this.#work();
    });
    const ended = () => {
      this.#unfinished -= 1;
    };
    this.#unfinished += 1;
    this.#last = round.then(ended, ended);
    return round;
  }
}
