/** A fake HTTP(S) server whose answers a test writes down; it keeps what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** One request as the fake server saw it. */
export interface FakeRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly incoming: IncomingMessage;
  /** Reads the body; rejects when the client breaks off. */
  body(): Promise<Buffer>;
}

/** Writes the answer; what it rejects with cuts the connection. */
export type FakeHandler = (request: FakeRequest, response: ServerResponse) => unknown;

/** A fake server that runs. */
export interface FakeServer {
  /** `http://127.0.0.1:40123` or `https://localhost:40123`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** `GET /v2/` and so on, in order of arrival. */
  readonly asked: string[];
  readonly requests: FakeRequest[];
  /** Connections that were opened so far. */
  readonly connections: () => number;
}

/**
 * Starts a fake server that stops with the test: `await startFakeServer(t, (request, response) => response.end())`.
 * `tls` makes it HTTPS, then its URL names it localhost.
 */
export async function startFakeServer(
  t: TestContext,
  handler: FakeHandler,
  tls?: ServerOptions,
): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  const asked: string[] = [];
  let connections = 0;
  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    const request = fakeRequest(incoming);
    requests.push(request);
    asked.push(`${request.method} ${request.path}`);
    Promise.try(handler, request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listen(server);
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const host = `${tls === undefined ? '127.0.0.1' : 'localhost'}:${port}`;
  const url = `${tls === undefined ? 'http' : 'https'}://${host}`;
  return { url, host, port, asked, requests, connections: () => connections };
}

/** Binds to a free loopback port. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // A TCP server that listens has an address of this form.
  return (server.address() as AddressInfo).port;
}

function fakeRequest(incoming: IncomingMessage): FakeRequest {
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    incoming,
    body: async () => {
      const chunks: Uint8Array[] = [];
      // Without an encoding a request gives Buffers.
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** Answers with JSON: `sendJson(response, 200, { tags: [] })`. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Answers with a distribution error document: `sendError(response, 404, 'NAME_UNKNOWN')`. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, { errors: [{ code, message: code.toLowerCase() }] }, headers);
}
