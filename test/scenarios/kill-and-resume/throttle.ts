/** Slows down and lets through, one by one, the transfers of a test's registries; and remembers them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, faultFor } from '../../support/faults.ts';

/** A GET or PUT of a blob or manifest: `PUT sha256:ab…`, `PUT team/app/manifests/v1`. */
export interface Transfer {
  readonly method: 'GET' | 'PUT';
  /** The digest of a blob; repository and reference of a manifest that is put by a tag. */
  readonly what: string;
}

/**
 * One throttle for all registries of a scenario. In steps, `permits` transfers go through and the
 * others wait for ever; else each begins `paceMs` after the one before.
 */
export class Throttle {
  permits = Number.POSITIVE_INFINITY;
  paceMs = 0;
  /** Every transfer that was asked for since the last `forget`. */
  readonly asked: Transfer[] = [];
  /** When each of them was asked for, by `performance.now()`. */
  readonly begins: number[] = [];
  /** Those of them that the registry answered as wanted, to the last byte. */
  readonly finished: Transfer[] = [];
  /** Transfers under way now. */
  underWay = 0;
  #nextAt = 0;

  readonly fault: Fault = faultFor({ path: /\/(blobs|manifests)\// }, (request, response, next) => {
    const transfer = transferOf(request);
    if (transfer === undefined) return next(request, response);
    this.#watch(transfer, response);
    void this.#turn().then((mayGo) => {
      if (!mayGo || response.destroyed) return;
      if (this.paceMs > 0) dribble(response, this.paceMs);
      next(request, response);
    });
  });

  /** Begins a new run. */
  forget(): void {
    this.asked.length = 0;
    this.begins.length = 0;
    this.finished.length = 0;
    this.#nextAt = 0;
  }

  #watch(transfer: Transfer, response: ServerResponse): void {
    this.asked.push(transfer);
    this.begins.push(performance.now());
    this.underWay += 1;
    response.once('close', () => {
      this.underWay -= 1;
      const isGood = response.statusCode < 300 && response.writableFinished;
      if (isGood) this.finished.push(transfer);
    });
  }

  async #turn(): Promise<boolean> {
    if (this.permits <= 0) return false;
    this.permits -= 1;
    if (this.paceMs === 0) return true;
    const now = performance.now();
    this.#nextAt = Math.max(now, this.#nextAt) + this.paceMs;
    await wait(this.#nextAt - now);
    return true;
  }
}

/** Undefined for what moves no content: HEAD, opening an upload, a mount. */
function transferOf({ method, url = '' }: IncomingMessage): Transfer | undefined {
  const { pathname, searchParams } = new URL(url, 'http://registry');
  const reference = /\/v2\/(.+\/manifests\/.+)$/.exec(pathname)?.[1] ?? '';
  const digest = /sha256:[0-9a-f]{64}$/.exec(pathname)?.[0];
  if (method === 'GET' && !pathname.includes('/uploads/')) {
    return { method, what: digest ?? reference };
  }
  const uploaded = searchParams.get('digest');
  if (uploaded !== null && (method === 'PUT' || method === 'POST')) {
    return { method: 'PUT', what: uploaded };
  }
  return method === 'PUT' ? { method, what: reference } : undefined;
}

/** Sends a body in pieces with pauses, so that a kill finds one that is half there. */
function dribble(response: ServerResponse, pauseMs: number): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let last = Promise.resolve();
  const later = (act: () => void) => {
    last = last.then(() => wait(pauseMs)).then(() => void (response.destroyed || act()));
  };
  response.write = (chunk: unknown) => {
    later(() => {
      write(chunk);
      response.emit('drain');
    });
    return false;
  };
  response.end = (chunk?: unknown) => {
    void last.then(() => (chunk === undefined ? end() : end(chunk)));
    return response;
  };
}
