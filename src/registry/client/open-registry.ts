import { startRun } from '../../shared/run.ts';
import { listCatalogue } from './internal/catalogue.ts';
import { pingRegistry } from './internal/ping.ts';
import { PolicyTransport } from './internal/policy-transport.ts';
import { UploadHabits } from './internal/upload-habits.ts';
import type { Registry } from './registry.ts';
import { type ClosableRepository, openRepository } from './repository.ts';
import type { ClientSettings, RegistryEndpoint } from './settings.ts';

/**
 * Opens the client of one registry; does no I/O. REGISTRY_ADDRESS_INVALID for a URL that is not http(s).
 *
 * `openRegistry({ name: 'quay.io', url: 'https://quay.io', trust: {} }, settings)` → a {@link Registry};
 * settings from `defaultClientSettings`.
 */
export function openRegistry(endpoint: RegistryEndpoint, settings: ClientSettings): Registry {
  const transport = new PolicyTransport(endpoint, settings);
  const habits = new UploadHabits(settings.limits);
  const repositories = new Map<string, ClosableRepository>();
  const close = async () => {
    const run = startRun();
    await Promise.all([...repositories.values()].map((opened) => opened.cancelOffered(run)));
    await transport.close();
  };
  return {
    endpoint,
    transport,
    repository: (path) => {
      const known = repositories.get(path);
      if (known !== undefined) return known;
      const opened = openRepository(transport, path, habits);
      repositories.set(path, opened);
      return opened;
    },
    ping: (run) => pingRegistry(transport, run),
    catalogue: (run) => listCatalogue(transport, run),
    close,
    [Symbol.asyncDispose]: close,
  };
}
