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
  readonly cut?: { readonly method: 'PUT' | 'PATCH'; readonly afterBytes: number; times: number };
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
  const blobs = new Map<string, Buffer>();
  const sessions = new Map<string, Buffer>();
  const faults = { ...options.cut };
  let opened = 0;
  const server = await startFakeServer(t, async (request, response) => {
    if (options.instead?.(request, response) === true) return;
    const url = new URL(request.path, 'http://registry');
    const [, name = '', rest = ''] = /^\/v2\/(.+)\/blobs\/(.*)$/.exec(url.pathname) ?? [];
    if (rest === 'uploads/' && request.method === 'POST') return begin(name, url, response);
    const id = rest.replace('uploads/', '');
    if (!rest.startsWith('uploads/')) return head(`${name}@${rest}`, response);
    if (!url.search.startsWith(`?${state}`)) return sendError(response, 400, 'STATE_LOST');
    const known = sessions.get(id);
    if (known === undefined) return sendError(response, 404, 'BLOB_UPLOAD_UNKNOWN');
    if (request.method === 'DELETE') {
      sessions.delete(id);
      return response.writeHead(204).end();
    }
    if (request.method === 'GET') return answer(name, id, response, 204);
    return take(request, response, { name, id, known });
  });

  const locationOf = (name: string, id: string) => {
    const path = `/v2/${name}/blobs/uploads/${id}?${state}`;
    return options.location === 'relative' ? path : `${server.url}${path}`;
  };

  const answer = (name: string, id: string, response: ServerResponse, status: number) => {
    const size = sessions.get(id)?.length ?? 0;
    const range = `0-${Math.max(0, size - 1)}`;
    const least = options.minChunkBytes;
    const headers = { location: locationOf(name, id), range };
    const more = least === undefined ? {} : { 'oci-chunk-min-length': String(least) };
    response.writeHead(status, { ...headers, ...more }).end();
  };

  const begin = (name: string, url: URL, response: ServerResponse) => {
    const digest = url.searchParams.get('mount');
    const from = url.searchParams.get('from') ?? 'anywhere';
    const isMountable = options.mountable?.includes(`${from}@${digest}`) === true;
    if (isMountable) return response.writeHead(201).end();
    opened += 1;
    sessions.set(`s${opened}`, Buffer.alloc(0));
    return answer(name, `s${opened}`, response, 202);
  };

  const head = (key: string, response: ServerResponse) => {
    const found = blobs.get(key);
    if (found === undefined) return sendError(response, 404, 'BLOB_UNKNOWN');
    return response.writeHead(200, { 'content-length': String(found.length) }).end();
  };

  const take = async (
    request: FakeRequest,
    response: ServerResponse,
    { name, id, known }: { name: string; id: string; known: Buffer },
  ) => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > (options.maxBodyBytes ?? Number.POSITIVE_INFINITY)) {
      // As nginx does it: answer at once, read what comes, keep nothing of it.
      request.incoming.resume();
      return sendError(response, 413, 'SIZE_INVALID');
    }
    const body = await takeBody(request, id, known);
    if (request.method === 'PATCH') {
      const range = `${known.length}-${known.length + body.length - 1}`;
      if (request.headers['content-range'] !== range)
        return sendError(response, 416, 'RANGE_INVALID');
      sessions.set(id, Buffer.concat([known, body]));
      return answer(name, id, response, 202);
    }
    if (options.onlyChunks === true && length > 0) return sendError(response, 413, 'SIZE_INVALID');
    const all = Buffer.concat([known, body]);
    const digest = new URL(request.path, 'http://registry').searchParams.get('digest');
    if (digest !== digestOf(all)) return sendError(response, 400, 'DIGEST_INVALID');
    sessions.delete(id);
    blobs.set(`${name}@${digest}`, all);
    return response.writeHead(201, { 'docker-content-digest': digest }).end();
  };

  const takeBody = async (request: FakeRequest, id: string, known: Buffer): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const isCut = request.method === faults.method && (faults.times ?? 0) > 0;
    if (isCut) faults.times = (faults.times ?? 0) - 1;
    const limit = isCut ? (faults.afterBytes ?? 0) : Number.POSITIVE_INFINITY;
    try {
      for await (const chunk of request.incoming) {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= limit) throw new Error('cut by the test');
      }
    } catch (error) {
      const part = Buffer.concat(chunks).subarray(0, limit);
      if (options.keepsParts !== false) sessions.set(id, Buffer.concat([known, part]));
      throw error;
    }
    return Buffer.concat(chunks);
  };

  return { ...server, blobs, sessions };
}
