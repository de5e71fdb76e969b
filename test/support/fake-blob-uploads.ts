/** A fake registry that takes blobs, with the peculiarities and faults that a test asks for. */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { digestOf } from '../../src/oci/digest.ts';
import { type FakeRequest, type FakeServer, sendError, startFakeServer } from './fake-server.ts';

/** What is special about this registry; without anything it follows the specification. */
export interface FakeUploadOptions {
  /** Bodies above this are refused with 413, as nginx does it. */
  readonly maxBodyBytes?: number;
  /** Cuts the connection after so many bytes of the body of each of the first `times` such requests. */
  readonly cut?: {
    readonly method: 'PUT' | 'PATCH';
    readonly afterBytes: number;
    readonly times: number;
  };
  /** Keeps the bytes of a body that broke off; default true. */
  readonly keepsParts?: boolean;
  /** Answers in place of the registry; true: it has answered. */
  readonly instead?: (request: FakeRequest, response: ServerResponse) => boolean;
  /** What the Location of a session looks like. */
  readonly location?: 'absolute' | 'relative';
  /** Blobs that a mount finds, as `repository@digest`. */
  readonly mountable?: readonly string[];
  readonly minChunkBytes?: number;
  /** Takes no body with the closing PUT. */
  readonly onlyChunks?: boolean;
}

/** The registry and what it has. */
export interface FakeUploads extends FakeServer {
  /** Whole blobs, as `repository@digest`. */
  readonly blobs: Map<string, Buffer>;
  /** Sessions that are still open. */
  readonly sessions: Map<string, Buffer>;
}

/** State that a registry hides in the address of a session; it must come back byte by byte. */
const state = '_state=a%2Fb+c%3D%3D&x';

/** Starts it; it stops with the test. */
export async function startFakeUploads(
  t: TestContext,
  options: FakeUploadOptions = {},
): Promise<FakeUploads> {
  const fake = new FakeBlobRegistry(options);
  const server = await startFakeServer(t, (request, response) => fake.serve(request, response));
  fake.origin = options.location === 'relative' ? '' : server.url;
  return { ...server, blobs: fake.blobs, sessions: fake.sessions };
}

/** A session that a request is about. */
interface Session {
  readonly name: string;
  readonly id: string;
  readonly known: Buffer;
}

class FakeBlobRegistry {
  origin = '';
  readonly blobs = new Map<string, Buffer>();
  readonly sessions = new Map<string, Buffer>();
  readonly #options: FakeUploadOptions;
  #opened = 0;
  #cutsLeft: number;

  constructor(options: FakeUploadOptions) {
    this.#options = options;
    this.#cutsLeft = options.cut?.times ?? 0;
  }

  serve(request: FakeRequest, response: ServerResponse): unknown {
    if (this.#options.instead?.(request, response) === true) return undefined;
    const url = new URL(request.path, 'http://registry');
    const [, name = '', rest = ''] = /^\/v2\/(.+)\/blobs\/(.*)$/.exec(url.pathname) ?? [];
    if (rest === 'uploads/' && request.method === 'POST') return this.#begin(name, url, response);
    if (!rest.startsWith('uploads/')) return this.#head(`${name}@${rest}`, response);
    if (!url.search.startsWith(`?${state}`)) return sendError(response, 400, 'STATE_LOST');
    const id = rest.replace('uploads/', '');
    const known = this.sessions.get(id);
    if (known === undefined) return sendError(response, 404, 'BLOB_UPLOAD_UNKNOWN');
    return this.#onSession(request, response, { name, id, known });
  }

  #onSession(request: FakeRequest, response: ServerResponse, session: Session): unknown {
    switch (request.method) {
      case 'DELETE':
        this.sessions.delete(session.id);
        return response.writeHead(204).end();
      case 'GET':
        return this.#answer(session, response, 204);
      case 'PATCH':
        return this.#patch(request, response, session);
      default:
        return this.#close(request, response, session);
    }
  }

  #begin(name: string, url: URL, response: ServerResponse): unknown {
    const from = url.searchParams.get('from') ?? 'anywhere';
    const wanted = `${from}@${url.searchParams.get('mount')}`;
    if (this.#options.mountable?.includes(wanted) === true) return response.writeHead(201).end();
    this.#opened += 1;
    const session = { name, id: `s${this.#opened}`, known: Buffer.alloc(0) };
    this.sessions.set(session.id, session.known);
    return this.#answer(session, response, 202);
  }

  #head(key: string, response: ServerResponse): unknown {
    const found = this.blobs.get(key);
    if (found === undefined) return sendError(response, 404, 'BLOB_UNKNOWN');
    return response.writeHead(200, { 'content-length': String(found.length) }).end();
  }

  /** Tells where the session is and how much it holds. */
  #answer({ name, id }: Session, response: ServerResponse, status: number): void {
    const size = this.sessions.get(id)?.length ?? 0;
    const location = `${this.origin}/v2/${name}/blobs/uploads/${id}?${state}`;
    const headers = { location, range: `0-${Math.max(0, size - 1)}` };
    const least = this.#options.minChunkBytes;
    const more = least === undefined ? {} : { 'oci-chunk-min-length': String(least) };
    response.writeHead(status, { ...headers, ...more }).end();
  }

  async #patch(request: FakeRequest, response: ServerResponse, session: Session): Promise<unknown> {
    if (this.#isTooLarge(request)) return this.#refuseSize(request, response);
    const body = await this.#takeBody(request, session);
    const { id, known } = session;
    const range = `${known.length}-${known.length + body.length - 1}`;
    if (request.headers['content-range'] !== range)
      return sendError(response, 416, 'RANGE_INVALID');
    this.sessions.set(id, Buffer.concat([known, body]));
    return this.#answer(session, response, 202);
  }

  async #close(request: FakeRequest, response: ServerResponse, session: Session): Promise<unknown> {
    const isRefused = this.#options.onlyChunks === true && lengthOf(request) > 0;
    if (isRefused || this.#isTooLarge(request)) return this.#refuseSize(request, response);
    const all = Buffer.concat([session.known, await this.#takeBody(request, session)]);
    const digest = new URL(request.path, 'http://registry').searchParams.get('digest') ?? '';
    if (digest !== digestOf(all)) return sendError(response, 400, 'DIGEST_INVALID');
    this.sessions.delete(session.id);
    this.blobs.set(`${session.name}@${digest}`, all);
    return response.writeHead(201, { 'docker-content-digest': digest }).end();
  }

  #isTooLarge(request: FakeRequest): boolean {
    return lengthOf(request) > (this.#options.maxBodyBytes ?? Number.POSITIVE_INFINITY);
  }

  /** As nginx does it: answers at once, reads what comes, keeps nothing of it. */
  #refuseSize(request: FakeRequest, response: ServerResponse): void {
    request.incoming.resume();
    sendError(response, 413, 'SIZE_INVALID');
  }

  async #takeBody(request: FakeRequest, { id, known }: Session): Promise<Buffer> {
    const cut = this.#options.cut;
    if (cut?.method !== request.method || this.#cutsLeft === 0) return request.body();
    this.#cutsLeft -= 1;
    const part = await firstBytes(request, cut.afterBytes);
    if (this.#options.keepsParts !== false) this.sessions.set(id, Buffer.concat([known, part]));
    throw new Error('cut by the test');
  }
}

function lengthOf(request: FakeRequest): number {
  return Number(request.headers['content-length'] ?? 0);
}

async function firstBytes(request: FakeRequest, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Without an encoding a request gives Buffers.
  for await (const chunk of request.incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}
