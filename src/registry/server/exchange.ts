import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteStream } from '../../content/ports.ts';
import type { Run } from '../../shared/run.ts';
import type { Complaint } from './refusal.ts';

/** One request with its answer, on its way through the endpoints. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly run: Run;
}

/** Headers of an answer, lower-case names. */
export type Headers = Readonly<Record<string, string | number>>;

/** On every answer, as clients expect it since Docker's registry. */
const common = {
  'docker-distribution-api-version': 'registry/2.0',
  'x-content-type-options': 'nosniff',
};

/** Sends the head of an answer whose body follows by other means. */
export function sendHead({ response }: Exchange, status: number, headers: Headers): void {
  response.writeHead(status, { ...common, ...headers });
}

/** Sends an answer without a body. */
export function sendEmpty(exchange: Exchange, status: number, headers: Headers = {}): void {
  const length = status === 204 || status === 304 ? {} : { 'content-length': 0 };
  sendHead(exchange, status, { ...length, ...headers });
  exchange.response.end();
}

/** Sends a value as JSON; to a HEAD request only its head. */
export function sendJson(
  exchange: Exchange,
  status: number,
  value: unknown,
  headers: Headers = {},
): void {
  const body = Buffer.from(`${JSON.stringify(value)}\n`);
  sendHead(exchange, status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...headers,
  });
  exchange.response.end(body);
}

/** Sends an error document of the specification. */
export function sendErrors(
  exchange: Exchange,
  status: number,
  errors: readonly Complaint[],
  headers: Headers = {},
): void {
  sendJson(exchange, status, { errors }, { ...headers, ...closeIfBodyIsLeft(exchange) });
}

/** Up to this much of an unread body is read and thrown away, so that the connection lives on. */
const drainBytes = 8 * 1024 * 1024;

function closeIfBodyIsLeft({ request }: Exchange): Headers {
  if (request.complete) return {};
  const announced = request.headers['content-length'];
  const isShort = announced !== undefined && Number(announced) <= drainBytes;
  const hasBody = announced !== undefined || request.headers['transfer-encoding'] !== undefined;
  return isShort || !hasBody ? {} : { connection: 'close' };
}

/** Thrown by {@link streamBody} when the content ends before its size. */
class ContentCutShort extends Error {
  override readonly name = 'ContentCutShort';
}

/**
 * Sends exactly `byteCount` bytes of `bytes` behind a head that is already sent, no faster than the
 * client reads. A client that goes away ends it quietly; bytes that are missing reject.
 */
export async function streamBody(
  { response }: Exchange,
  bytes: ByteStream,
  byteCount: number,
): Promise<void> {
  let left = byteCount;
  for await (const chunk of bytes) {
    const piece = chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= piece.length;
    if (!response.write(piece)) await drained(response);
    if (response.destroyed || left === 0) break;
  }
  if (response.destroyed) return;
  if (left > 0) throw new ContentCutShort(`${left} of ${byteCount} bytes are missing`);
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    response.off('drain', done).off('close', done);
    resolve();
  };
  response.on('drain', done).on('close', done);
  return promise;
}

/**
 * The body of a request. Ending the loop early leaves the connection alive, so that an answer can
 * still be sent. A client that waits for `100 Continue` gets it now, and not if it was refused.
 */
export function bodyOf({ request, response }: Exchange): ByteStream {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
  return request.iterator({ destroyOnReturn: false });
}

/** Content-Length as a number, or undefined for a body of unknown length or none. */
export function contentLengthOf({ request }: Exchange): number | undefined {
  const text = request.headers['content-length'];
  return text === undefined ? undefined : Number(text);
}

/** True if the request has a body or may have one: a length above zero, or chunks. */
export function hasBody(exchange: Exchange): boolean {
  if (exchange.request.headers['transfer-encoding'] !== undefined) return true;
  return (contentLengthOf(exchange) ?? 0) > 0;
}
