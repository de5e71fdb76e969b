import { once } from 'node:events';
import type { Server } from 'node:net';
import { describeError, systemCode } from '../../shared/errors.ts';
import { RegistryListenFailed } from './errors.ts';

/** Listens and says on which port; rejects with REGISTRY_LISTEN_FAILED. */
export async function listenOn(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const data = { host, port, reason: reasonOf(error), system: systemCode(error) };
    throw new RegistryListenFailed(data, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'ports below 1024 need root or CAP_NET_BIND_SERVICE',
  EADDRNOTAVAIL: 'this machine has no such address',
};

function reasonOf(error: unknown): string {
  return reasons[systemCode(error) ?? ''] ?? describeError(error);
}
