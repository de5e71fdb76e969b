const mostChunkBytes = 256 * 1024;
const leastChunkBytes = 16 * 1024;

/** The memory for blobs that are being pulled: each pull holds one chunk until its client has read it. */
export class PullRoom {
  readonly #bytes: number;
  #pulls = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /**
   * Works on one pull. `chunkBytes` is how much it may read at once: 256 KiB while there are few, down
   * to 16 KiB for thousands, so that clients which read slowly, or not at all, do not fill the memory.
   */
  async hold<T>(work: (chunkBytes: () => number) => Promise<T>): Promise<T> {
    this.#pulls += 1;
    try {
      return await work(() => this.#chunkBytes());
    } finally {
      this.#pulls -= 1;
    }
  }

  #chunkBytes(): number {
    const share = Math.floor(this.#bytes / this.#pulls);
    return Math.max(leastChunkBytes, Math.min(mostChunkBytes, share));
  }
}
