/** After so many bytes the disk begins to write them, while the next ones still come in. */
const writeBackBytes = 8 * 1024 * 1024;

/** Tells the disk to begin with what was written so far, so that it does not stand idle until the end. */
export class WriteBack {
  readonly #flush: () => Promise<void>;
  #unflushedBytes = 0;
  /** The flush under way, or the one that failed: the kernel tells of lost bytes once only. */
  #flushing: Promise<void> | undefined;

  /** `flush` brings to the disk what the file has by then. */
  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  /** Begins to flush what is new, unless it is little or the disk is busy with that already. */
  wrote(byteCount: number): void {
    this.#unflushedBytes += byteCount;
    if (this.#unflushedBytes < writeBackBytes || this.#flushing !== undefined) return;
    this.#unflushedBytes = 0;
    this.#flushing = this.#flush().then(() => {
      this.#flushing = undefined;
    });
    // `settled` tells of a failure; until then it must not count as unhandled.
    void this.#flushing.catch(() => {});
  }

  /** Resolves when no flush is under way; rejects, every time, with what one failed with. */
  async settled(): Promise<void> {
    await this.#flushing;
  }
}
