import { openDirRegistry } from '../../../src/registry/server/dir-registry.ts';
import { startRegistryServer } from '../../../src/registry/server/server.ts';
import { startRun } from '../../../src/shared/run.ts';
import type { RegistryPlace, RegistryRequest, RunningRegistry } from './running-registry.ts';

/** Starts our own registry over a folder, in this process; resolves when it answers. */
export async function startEmbeddedRegistry(place: RegistryPlace): Promise<RunningRegistry> {
  const { folder, host, port, tls } = place;
  const log: RegistryRequest[] = [];
  const storage = await openDirRegistry(folder);
  const server = await startRegistryServer(
    {
      storage,
      host,
      port,
      onAccess: ({ method, url, status }) => void log.push({ method, path: url, status }),
      stopGraceMs: 1_000,
      ...(tls && { tls: { cert: tls.certificate, key: tls.key } }),
    },
    startRun(),
  );
  const stop = async () => {
    await server.stop();
    await storage.close();
  };
  return {
    address: `${host}:${server.port}`,
    requests: () => log,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
