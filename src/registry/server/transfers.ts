/** The bodies that come in at the same time: how many, and who has to make room for others. */
import { stoppable } from '../../content/byte-streams.ts';
import type { ByteStream } from '../../content/ports.ts';
import type { Clock } from '../../shared/ports.ts';
import { tooMany } from './refusal.ts';

/** Limits of {@link Transfers}. */
export interface TransferLimits {
  /** Requests that may send a blob or a manifest at the same time. */
  readonly maxTransfers: number;
  /** Who brings less than this per second has to make room when others wait; 1024. */
  readonly slowBytesPerSecond: number;
  /** The time over which that is measured, in milliseconds; 10 000. */
  readonly slowAfterMs: number;
}

interface Active {
  readonly stop: AbortController;
  sinceMs: number;
  bytes: number;
  /** In the window before this one; unknown in the first. */
  earlierBytesPerSecond: number | undefined;
}

/**
 * Receives at most `maxTransfers` bodies at a time. When all places are taken, the slowest sender has
 * to leave if it is slow: it may come back and go on where its upload stands. So a client that sends a
 * byte now and then, be it broken or hostile, cannot keep others out.
 */
export class Transfers {
  readonly #limits: TransferLimits;
  readonly #clock: Clock;
  readonly #active = new Set<Active>();

  constructor(limits: TransferLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Works on a body as one of the transfers; throws a refusal with TOOMANYREQUESTS. */
  async receive<T>(body: ByteStream, work: (body: ByteStream) => Promise<T>): Promise<T> {
    if (this.#active.size >= this.#limits.maxTransfers && !this.sendSlowestAway()) {
      throw tooMany(`${this.#active.size} clients are sending already`, 5);
    }
    const transfer: Active = {
      stop: new AbortController(),
      sinceMs: this.#clock.monotonic(),
      bytes: 0,
      earlierBytesPerSecond: undefined,
    };
    this.#active.add(transfer);
    try {
      return await work(this.#measured(stoppable(body, transfer.stop.signal), transfer));
    } finally {
      this.#active.delete(transfer);
    }
  }

  /** Ends the slowest transfer if it is slow; false if none is. */
  sendSlowestAway(): boolean {
    const [slowest] = [...this.#active]
      .map((transfer) => ({ transfer, rate: this.#bytesPerSecond(transfer) }))
      .filter(({ rate }) => rate < this.#limits.slowBytesPerSecond)
      .sort((a, b) => a.rate - b.rate);
    if (slowest === undefined) return false;
    this.#active.delete(slowest.transfer);
    const message = 'others were waiting, and this transfer brought next to nothing: go on later';
    slowest.transfer.stop.abort(tooMany(message, 5));
    return true;
  }

  async *#measured(
    body: ByteStream,
    transfer: Active,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of body) {
      this.#count(transfer, chunk.length);
      yield chunk;
    }
  }

  #count(transfer: Active, byteCount: number): void {
    const now = this.#clock.monotonic();
    const elapsedMs = now - transfer.sinceMs;
    if (elapsedMs >= this.#limits.slowAfterMs) {
      transfer.earlierBytesPerSecond = rateOf(transfer.bytes, elapsedMs);
      transfer.sinceMs = now;
      transfer.bytes = 0;
    }
    transfer.bytes += byteCount;
  }

  #bytesPerSecond(transfer: Active): number {
    const elapsedMs = this.#clock.monotonic() - transfer.sinceMs;
    if (elapsedMs >= this.#limits.slowAfterMs) return rateOf(transfer.bytes, elapsedMs);
    return transfer.earlierBytesPerSecond ?? Number.POSITIVE_INFINITY;
  }
}

function rateOf(bytes: number, elapsedMs: number): number {
  return (bytes * 1000) / Math.max(1, elapsedMs);
}
