/** One request and its answer over undici, without any policy. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { ByteStream } from '../../../content/ports.ts';
import type { RequestBody, TransportRequest, TransportResponse } from '../transport.ts';
import { connectFailure, type Failing, httpsWanted, stallFailure } from './connect-failure.ts';
import { movingBody } from './moving-body.ts';
import { isTlsRefusal } from './speaks-tls.ts';

/** What goes over the wire, headers complete. */
export interface WireRequest {
  readonly method: TransportRequest['method'];
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
}

/** Chunks of this size keep the number of turns of the event loop low. */
const bodyHighWaterMark = 256 * 1024;
/** An unread body up to this size is read to keep the connection; beyond, closing is cheaper. */
const drainBytes = 64 * 1024;
const drainMs = 2000;

/**
 * Sends and waits for the headers. Rejects with the reason of `signal`, with the error of the body's
 * own source, or with what {@link connectFailure} makes of the rest.
 */
export async function exchange(
  pool: Dispatcher,
  request: WireRequest,
  failing: Failing,
  signal: AbortSignal,
): Promise<TransportResponse> {
  signal.throwIfAborted();
  const upload = outgoing(request.body);
  try {
    const answer = await pool.request({
      origin: request.url.origin,
      path: request.url.pathname + request.url.search,
      method: request.method,
      headers: { ...request.headers, ...upload.headers },
      body: upload.body,
      signal,
      highWaterMark: bodyHighWaterMark,
      // undici would close the connection after every HEAD, for servers that answer it with a body.
      reset: false,
      // Also here, since undici's proxy client does not take them from its pool.
      headersTimeout: failing.timeouts.headersMs,
      bodyTimeout: failing.timeouts.idleBodyMs,
    });
    return incoming(answer, request, failing, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw upload.failure() ?? (await requestFailure(error, request.url, failing));
  }
}

/** A port that speaks TLS closes plain requests without a word: that is found out, and not tried again. */
async function requestFailure(error: unknown, url: URL, failing: Failing): Promise<Error> {
  const isPlain = url.protocol === 'http:' && failing.proxy === undefined;
  if (isPlain && (await isTlsRefusal(error))) return httpsWanted(error, failing);
  return connectFailure(error, failing);
}

interface Outgoing {
  readonly body: Readable | Uint8Array | null;
  readonly headers: Record<string, string>;
  failure(): Error | undefined;
}

function outgoing(body: RequestBody | undefined): Outgoing {
  if (body === undefined) return { body: null, headers: {}, failure: () => undefined };
  if (body instanceof Uint8Array) {
    const headers = { 'content-length': String(body.length) };
    return { body, headers, failure: () => undefined };
  }
  let failure: Error | undefined;
  const watched = async function* () {
    try {
      yield* body.stream;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  };
  return {
    body: Readable.from(watched(), { objectMode: false, highWaterMark: bodyHighWaterMark }),
    headers: { 'content-length': String(body.sizeBytes) },
    failure: () => failure,
  };
}

function incoming(
  answer: Dispatcher.ResponseData,
  request: WireRequest,
  failing: Failing,
  signal: AbortSignal,
): TransportResponse {
  const { body } = answer;
  // A body that breaks before somebody reads it must not end the process; the reader still sees it.
  body.on('error', () => {});
  return {
    status: answer.statusCode,
    headers: flatten(answer.headers),
    url: request.url,
    body: reported(body, failing, signal),
    discard: () => drain(body),
  };
}

function flatten(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Thrown and caught in this file only. */
class Stalled extends Error {}

async function* reported(body: Readable, failing: Failing, signal: AbortSignal): ByteStream {
  try {
    yield* movingBody(body, failing, () => new Stalled());
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Stalled ? stallFailure(failing) : connectFailure(error, failing);
  }
}

async function drain(body: Dispatcher.ResponseData['body']): Promise<void> {
  try {
    // Where it takes longer, a new connection is cheaper.
    await body.dump({ limit: drainBytes, signal: AbortSignal.timeout(drainMs) });
  } catch {
    // The answer is known already; only the connection is lost.
  }
}
