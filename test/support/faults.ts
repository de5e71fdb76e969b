/** Misbehaviour that a test lays around a registry: cut, slow, wrong and refused answers. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A layer around a registry's handler; the first of a list is the outermost. */
export type Fault = (next: Handler) => Handler;

/** Which requests a fault is for; what is left out fits all. */
export interface FaultTarget {
  readonly method?: string;
  /** The path with its query: equal to a text, or matching an expression. */
  readonly path?: string | RegExp;
  /** Only the first so many of them; all unless given. */
  readonly times?: number;
}

/** Lays faults around a handler, in the order given. */
export function withFaults(faults: readonly Fault[], handler: Handler): Handler {
  return faults.reduceRight((inner, fault) => fault(inner), handler);
}

const blobPath = /\/blobs\/sha\d+:[0-9a-f]+/;

/** Cuts the connection after so many bytes of each blob, behind a head that promises all of it. */
export function truncateBlobs(options: FaultTarget & { readonly afterBytes: number }): Fault {
  return faultFor({ method: 'GET', path: blobPath, ...options }, (request, response, next) => {
    let left = options.afterBytes;
    rewriteBody(response, (chunk) => {
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      return { piece, isLast: left === 0 };
    });
    next(request, response);
  });
}

/** Sends each blob with one byte changed: the right size, the wrong digest. */
export function corruptBlobs(options: FaultTarget & { readonly atByte?: number } = {}): Fault {
  return faultFor({ method: 'GET', path: blobPath, ...options }, (request, response, next) => {
    const target = options.atByte ?? 0;
    let offset = 0;
    rewriteBody(response, (chunk) => {
      const piece = Buffer.from(chunk);
      const at = target - offset;
      if (at >= 0 && at < piece.length) piece[at] = (piece[at] ?? 0) ^ 0xff;
      offset += chunk.length;
      return { piece, isLast: false };
    });
    next(request, response);
  });
}

/** Answers in the registry's place: `answer({ path: /manifests/, status: 429, times: 2 })`. */
export function answer(
  options: FaultTarget & {
    readonly status: number;
    readonly headers?: OutgoingHttpHeaders;
    readonly body?: string | Uint8Array;
  },
): Fault {
  return faultFor(options, (request, response) => {
    request.resume();
    response.writeHead(options.status, options.headers);
    response.end(request.method === 'HEAD' ? undefined : options.body);
  });
}

/** Waits before the registry sees the request; `pause` takes the place of the clock. */
export function slow(
  options: FaultTarget & {
    readonly delayMs: number;
    readonly pause?: (delayMs: number) => Promise<unknown>;
  },
): Fault {
  const { delayMs, pause = wait } = options;
  return faultFor(options, (request, response, next) => {
    void pause(delayMs).then(() => {
      if (!response.destroyed) next(request, response);
    });
  });
}

/** Never answers: the client has to give up, or the registry has to stop. */
export function hang(options: FaultTarget = {}): Fault {
  return faultFor(options, (request) => void request.resume());
}

/** Cuts the connection without an answer, after so many bytes of the request's body (default 0). */
export function cutRequests(options: FaultTarget & { readonly afterBytes?: number } = {}): Fault {
  return faultFor(options, (request) => {
    let left = options.afterBytes ?? 0;
    if (left === 0) return void request.socket.destroy();
    request.on('data', (chunk: Uint8Array) => {
      left -= chunk.length;
      if (left <= 0) request.socket.destroy();
    });
    request.on('error', () => {});
  });
}

type FaultyHandler = (request: IncomingMessage, response: ServerResponse, next: Handler) => void;

/** A fault that acts on the requests of `target` and leaves the others alone. */
export function faultFor(target: FaultTarget, act: FaultyHandler): Fault {
  let left = target.times ?? Number.POSITIVE_INFINITY;
  return (next) => (request, response) => {
    if (left === 0 || !fits(target, request)) return next(request, response);
    left -= 1;
    act(request, response, next);
  };
}

function fits({ method, path }: FaultTarget, request: IncomingMessage): boolean {
  if (method !== undefined && request.method !== method) return false;
  const url = request.url ?? '';
  if (path === undefined) return true;
  return typeof path === 'string' ? url === path : path.test(url);
}

interface Rewritten {
  readonly piece: Uint8Array;
  /** Nothing comes after it: the connection is cut. */
  readonly isLast: boolean;
}

/** Sends the body through `rewrite`; the head goes out as it is. */
function rewriteBody(response: ServerResponse, rewrite: (chunk: Uint8Array) => Rewritten): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let isCut = false;
  const send = (chunk: unknown): boolean => {
    if (!(chunk instanceof Uint8Array) || isCut) return true;
    const { piece, isLast } = rewrite(chunk);
    isCut = isLast;
    // The piece must have left before the connection is cut.
    return isLast ? write(piece, () => response.destroy()) : write(piece);
  };
  response.write = (chunk: unknown) => send(chunk);
  response.end = (chunk?: unknown) => {
    send(chunk);
    return isCut ? response : end();
  };
}
