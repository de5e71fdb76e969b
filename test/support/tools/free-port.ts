import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port of `host` that nobody listens on right now; for programs that cannot choose one themselves. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
