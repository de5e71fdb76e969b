import type { Run } from '../../../shared/run.ts';
import type { ClientSettings } from '../settings.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { mayPass } from './connect-failure.ts';
import { retryAfterMs } from './retry-after.ts';

/** Answers that another try may better. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/**
 * Repeats requests that may be sent twice: after a broken connection, a timeout, and the answers 408, 429,
 * 500, 502, 503 and 504. Waits random × the doubled delay, at least what `Retry-After` asks for. When the
 * tries are used up, the last answer or error is the result.
 */
export class Repeater {
  readonly #settings: Pick<ClientSettings, 'clock' | 'random' | 'sleep' | 'retry' | 'timeouts'>;

  constructor(settings: Pick<ClientSettings, 'clock' | 'random' | 'sleep' | 'retry' | 'timeouts'>) {
    this.#settings = settings;
  }

  async run<Answer extends Pick<TransportResponse, 'status' | 'headers'>>(
    request: TransportRequest,
    run: Run,
    send: () => Promise<Answer & Partial<Pick<TransportResponse, 'discard'>>>,
  ): Promise<Answer> {
    const attempts = isRepeatable(request) ? this.#settings.retry.attempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      let delayMs: number | undefined;
      try {
        const answer = await send();
        delayMs = isLast ? undefined : this.#delayAfter(answer, attempt);
        if (delayMs === undefined) return answer;
        await answer.discard?.();
      } catch (error) {
        run.signal.throwIfAborted();
        if (isLast || !mayPass(error)) throw error;
        delayMs = this.#backOff(attempt);
      }
      await this.#settings.sleep(delayMs, run.signal);
    }
  }

  #delayAfter(
    answer: Pick<TransportResponse, 'status' | 'headers'>,
    attempt: number,
  ): number | undefined {
    if (!passing.has(answer.status)) return undefined;
    const asked = retryAfterMs(answer.headers['retry-after'], this.#settings.clock) ?? 0;
    if (asked > this.#settings.timeouts.retryAfterMs) return undefined;
    return Math.max(asked, this.#backOff(attempt));
  }

  #backOff(attempt: number): number {
    const { firstDelayMs, maxDelayMs } = this.#settings.retry;
    return this.#settings.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1));
  }
}

function isRepeatable(request: TransportRequest): boolean {
  if (request.body !== undefined && !(request.body instanceof Uint8Array)) return false;
  return request.repeatable ?? safeMethods.has(request.method);
}
