import type { ClientSettings } from '../settings.ts';
import { afterSuccess, afterThrottle, fullPace, type Pace, waitMs } from './pace.ts';

/** The leave to send one request; `done` must be called once the answer's headers are there, or it failed. */
export interface Permit {
  done(answer: 'fine' | 'failed' | { readonly throttledForMs: number | undefined }): void;
}

/** Lets requests to one registry pass at its {@link Pace}, in the order they came. */
export class Gate {
  readonly #settings: Pick<ClientSettings, 'clock' | 'sleep' | 'limits'>;
  readonly #waiting: Array<() => void> = [];
  #pace: Pace;
  #under = 0;
  #lastStartMs = Number.NEGATIVE_INFINITY;

  constructor(settings: Pick<ClientSettings, 'clock' | 'sleep' | 'limits'>) {
    this.#settings = settings;
    this.#pace = fullPace(settings.limits.parallelRequests);
  }

  /** Waits for a place in the window, then for the pause to end; rejects when `signal` aborts. */
  async enter(signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    if (this.#under < Math.floor(this.#pace.window)) this.#under += 1;
    else await this.#queue(signal);
    try {
      await this.#waitForTurn(signal);
    } catch (error) {
      this.#leave();
      throw error;
    }
    const startedAtMs = this.#settings.clock.monotonic();
    return { done: (answer) => this.#done(answer, startedAtMs) };
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
    const { clock, sleep } = this.#settings;
    for (;;) {
      const delayMs = waitMs(this.#pace, this.#lastStartMs, clock.monotonic());
      if (delayMs <= 0) break;
      await sleep(delayMs, signal);
    }
    this.#lastStartMs = clock.monotonic();
  }

  /** The one who leaves hands its place on, so `#under` already counts who wakes up here. */
  #queue(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const wake = () => {
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const abort = () => {
      this.#waiting.splice(this.#waiting.indexOf(wake), 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#waiting.push(wake);
    return promise;
  }

  #done(answer: Parameters<Permit['done']>[0], startedAtMs: number): void {
    const nowMs = this.#settings.clock.monotonic();
    if (answer === 'fine') {
      this.#pace = afterSuccess(this.#pace, this.#settings.limits.parallelRequests);
    } else if (answer !== 'failed') {
      const { throttledForMs } = answer;
      const asked = throttledForMs === undefined ? {} : { retryAfterMs: throttledForMs };
      this.#pace = afterThrottle(this.#pace, { startedAtMs, nowMs, ...asked });
    }
    this.#leave();
  }

  #leave(): void {
    this.#under -= 1;
    while (this.#under < Math.floor(this.#pace.window)) {
      const wake = this.#waiting.shift();
      if (wake === undefined) return;
      this.#under += 1;
      wake();
    }
  }
}
