import { type Run, startRun } from '../../shared/run.ts';
import { listCatalogue } from './internal/catalogue.ts';
import { pingRegistry } from './internal/ping.ts';
import { PolicyTransport } from './internal/policy-transport.ts';
import { UploadHabits } from './internal/upload-habits.ts';
import { type ClosableRepository, openRepository, type Repository } from './repository.ts';
import type { ClientSettings, RegistryEndpoint } from './settings.ts';
import type { Transport } from './transport.ts';

/** What answers at a registry's address. */
export type Ping =
  | {
      readonly kind: 'registry';
      /** How it wants to be spoken to before it gives anything out. */
      readonly auth: 'none' | 'basic' | 'bearer' | 'other';
      /** Who issues tokens, for `bearer`. */
      readonly realm?: string;
    }
  | { readonly kind: 'html'; readonly status: number; readonly title?: string }
  | { readonly kind: 'strange'; readonly status: number; readonly contentType?: string };

/**
 * One registry with its connections, tokens and pace. Repositories are cheap and share them.
 * `close` may be called at any time, also twice; it ends what is under way.
 */
export interface Registry extends AsyncDisposable {
  readonly endpoint: RegistryEndpoint;
  readonly transport: Transport;
  /** `registry.repository('library/nginx')`; does no I/O. The same path gives the same object. */
  repository(path: string): Repository;
  /** Asks `/v2/` without credentials. Rejects only when nothing answers. */
  ping(run: Run): Promise<Ping>;
  /** Names of all repositories, page by page, where the registry allows that. */
  catalogue(run: Run): AsyncIterable<string>;
  close(): Promise<void>;
}

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
