/** One HTTP request exactly as written, for tests of a protocol: no added headers, no redirects. */
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** What {@link sendRequest} sends; `path` goes out as it is, with `..` and escapes. */
export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Text and bytes are sent with their length, a stream in chunks. */
  readonly body?: string | Uint8Array | Readable;
  /** The authority that the server's certificate comes from. */
  readonly ca?: string;
}

/** The whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; throws if it is none. */
  json(): unknown;
}

/** `sendRequest(registry.url, { path: '/v2/' })`; rejects when the connection breaks. */
export async function sendRequest(base: string, sent: SentRequest): Promise<Answer> {
  const { protocol, hostname, port } = new URL(base);
  const { method = 'GET', path, headers = {}, body, ca } = sent;
  const length = body === undefined || isStream(body) ? {} : { 'content-length': byteLength(body) };
  const options = {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port,
    method,
    path,
    headers: { ...length, ...headers },
    agent: false as const,
    ...(ca !== undefined && { ca }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
  request.on('error', reject);
  request.on('response', (response) => {
    buffer(response).then((bytes) => {
      const text = bytes.toString('utf8');
      const { statusCode: status = 0, headers: received } = response;
      resolve({ status, headers: received, bytes, text, json: () => JSON.parse(text) as unknown });
    }, reject);
  });
  if (body !== undefined && isStream(body)) body.pipe(request);
  else request.end(body);
  return promise;
}

function isStream(body: string | Uint8Array | Readable): body is Readable {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}
