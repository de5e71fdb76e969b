import { discardBytes } from '../../../content/byte-streams.ts';
import type { ByteStream } from '../../../content/ports.ts';

/**
 * The bytes of an upload, read once from their source and, while they fit into `windowBytes`, given out again:
 * a request that fails near its beginning can be repeated although the source cannot be rewound.
 *
 * A chunk is given out only when the next one is there or the source has ended well, so that a verifying source
 * keeps the last bytes of wrong content back: no registry ever has it whole. One reader at a time.
 */
export class ReplayableSource {
  readonly #origin: ByteStream;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #windowBytes: number;
  #isBegun = false;
  #failure: { readonly error: unknown } | undefined;
  #window: Uint8Array[] | undefined = [];
  #takenBytes = 0;
  #held: Uint8Array | undefined;
  #reading: Promise<Uint8Array | undefined> | undefined;

  constructor(
    origin: ByteStream,
    options: {
      readonly verify: (bytes: ByteStream) => ByteStream;
      readonly windowBytes: number;
    },
  ) {
    this.#origin = origin;
    this.#source = options.verify(origin)[Symbol.asyncIterator]();
    this.#windowBytes = options.windowBytes;
  }

  /** True while everything that was taken is still here and the source itself is well. */
  get canReplay(): boolean {
    return this.#window !== undefined && this.#failure === undefined;
  }

  /** All bytes from the first on, if they are still here; else from where the last reader stopped. */
  async *replay(): AsyncGenerator<Uint8Array, void, undefined> {
    // A reader that was let go of may still be waiting for the source; its chunk must not be lost.
    await this.#reading?.catch(() => {});
    yield* [...(this.#window ?? [])];
    for (;;) {
      this.#reading = this.#next();
      const chunk = await this.#reading;
      if (chunk === undefined) return;
      yield chunk;
    }
  }

  /** Lets go of the source, whether it was read to its end or not. */
  async close(): Promise<void> {
    this.#window = undefined;
    await this.#reading?.catch(() => {});
    if (this.#isBegun) await this.#source.return?.();
    else await discardBytes(this.#origin);
  }

  async #next(): Promise<Uint8Array | undefined> {
    this.#held ??= await this.#pull();
    const next = await this.#pull();
    const chunk = this.#held;
    this.#held = next;
    if (chunk !== undefined) this.#keep(chunk);
    return chunk;
  }

  async #pull(): Promise<Uint8Array | undefined> {
    this.#isBegun = true;
    // A generator that has failed would now say that it ended, as if all was well.
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      return await this.#nextBytes();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  async #nextBytes(): Promise<Uint8Array | undefined> {
    for (;;) {
      const step = await this.#source.next();
      if (step.done === true) return undefined;
      if (step.value.length > 0) return step.value;
    }
  }

  #keep(chunk: Uint8Array): void {
    this.#takenBytes += chunk.length;
    if (this.#takenBytes > this.#windowBytes) this.#window = undefined;
    this.#window?.push(chunk);
  }
}
