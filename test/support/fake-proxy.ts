/** A fake HTTP proxy that leads every host to loopback ports of the test. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A proxy that runs. */
export interface FakeProxy {
  /** `127.0.0.1:40123` */
  readonly host: string;
  /** `CONNECT registry.test:443` or `GET http://registry.test/v2/`, in order of arrival. */
  readonly asked: string[];
}

/** Where hosts lead, and the user that the proxy wants. */
export interface FakeProxyOptions {
  /** `{ 'registry.test:443': 40124 }`; hosts without an entry get 403. */
  readonly ports: Readonly<Record<string, number>>;
  /** `user:password` */
  readonly login?: string;
}

/** Starts a proxy that stops with the test. */
export async function startFakeProxy(
  t: TestContext,
  { ports, login }: FakeProxyOptions,
): Promise<FakeProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const statusFor = (incoming: IncomingMessage, port: number | undefined) => {
    if (incoming.headers['proxy-authorization'] !== wanted) return 407;
    return port === undefined ? 403 : 200;
  };
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { host } = new URL(incoming.url ?? '');
    const port = ports[host];
    const status = statusFor(incoming, port);
    if (status !== 200) return response.writeHead(status).end();
    return forward(incoming, response, port ?? 0);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const port = ports[incoming.url ?? ''];
    const status = statusFor(incoming, port);
    socket.on('error', () => {});
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    return tunnel(socket, port ?? 0, sockets);
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  // A TCP server that listens has an address of this form.
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function forward(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { pathname, search } = new URL(incoming.url ?? '');
  const { method, headers } = incoming;
  const onward = request({ port, method, headers, path: pathname + search }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
}

function tunnel(socket: Socket, port: number, sockets: Set<Socket>): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  sockets.add(onward);
  onward.on('error', () => socket.destroy());
}
