/** What a registry was found to take; shared by all its repositories. */

/** No registry refuses chunks of this size for being too large. */
const smallestPieceBytes = 256 * 1024;

/** Learns from failures how uploads to one registry have to be made. */
export class UploadHabits {
  #isChunked = false;
  #pieceBytes: number;
  readonly #monolithicBytes: number;

  constructor(limits: { readonly chunkBytes: number; readonly monolithicBytes: number }) {
    this.#pieceBytes = limits.chunkBytes;
    this.#monolithicBytes = limits.monolithicBytes;
  }

  get pieceBytes(): number {
    return this.#pieceBytes;
  }

  /** One request is cheapest; chunks can be continued and pass proxies with a limit. */
  sendsWhole(sizeBytes: number): boolean {
    if (sizeBytes > this.#monolithicBytes) return false;
    return !this.#isChunked || sizeBytes <= this.#pieceBytes;
  }

  /** A long upload broke: the next ones shall not have to start from their beginning. */
  onBroken(): void {
    this.#isChunked = true;
  }

  /** A body of this size was refused (413); false if it cannot be made smaller. */
  onTooLarge(sizeBytes: number): boolean {
    if (sizeBytes <= smallestPieceBytes) return false;
    this.#isChunked = true;
    const half = Math.max(smallestPieceBytes, Math.floor(sizeBytes / 2));
    this.#pieceBytes = Math.min(this.#pieceBytes, half);
    return true;
  }
}
