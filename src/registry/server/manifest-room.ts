import { Slots } from '../../shared/slots.ts';
import { tooMany } from './refusal.ts';

/** Manifests above this are understood one after the other; parsed, they take ten times the memory. */
const bigBytes = 256 * 1024;

/** The memory for manifests that are being pushed: each is held whole until it is answered. */
export class ManifestRoom {
  readonly #maxBytes: number;
  readonly #big = new Slots(1);
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Works on one manifest; `take` is called for each piece of it and throws a refusal with
   * TOOMANYREQUESTS when the room is full. All of it is given back when `work` has ended.
   */
  async hold<T>(work: (take: (byteCount: number) => void) => Promise<T>): Promise<T> {
    let held = 0;
    const take = (byteCount: number) => {
      if (this.#heldBytes + byteCount > this.#maxBytes) {
        throw tooMany('too many manifests are being pushed at the same time', 1);
      }
      this.#heldBytes += byteCount;
      held += byteCount;
    };
    try {
      return await work(take);
    } finally {
      this.#heldBytes -= held;
    }
  }

  /** Understands a manifest, a big one alone. */
  understand<T>(sizeBytes: number, work: () => Promise<T>): Promise<T> {
    return sizeBytes > bigBytes ? this.#big.run(work) : work();
  }
}
