import type { CertifiedKey } from '../../../src/trust/authority.ts';

/** How a registry of the scenarios is started, whichever program it is. */
export interface RegistryPlace {
  /** Holds what the registry keeps; its content outlives it. */
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** HTTPS with this certificate; HTTP without. */
  readonly tls?: CertifiedKey;
}

/** One request that a registry answered. */
export interface RegistryRequest {
  readonly method: string;
  /** With the query: `/v2/pause/manifests/3.9?ns=registry.k8s.io`. */
  readonly path: string;
  readonly status: number;
}

/** A registry that answers. */
export interface RunningRegistry extends AsyncDisposable {
  /** `host:port`. */
  readonly address: string;
  /** Every request so far, in order of completion. */
  requests(): readonly RegistryRequest[];
  /** Stopping twice is safe. */
  stop(): Promise<void>;
}

/** Starts one kind of registry; resolves when it answers. */
export type StartRegistry = (place: RegistryPlace) => Promise<RunningRegistry>;
