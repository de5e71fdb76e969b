import type { Run } from '../../shared/run.ts';
import type { Repository } from './repository.ts';
import type { RegistryEndpoint } from './settings.ts';
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
