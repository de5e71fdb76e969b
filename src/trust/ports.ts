import type { Run } from '../shared/run.ts';
import type { Secret } from '../shared/secret.ts';

/** What a registry accepts as proof of identity: a user's password, or a long-lived OAuth2 token. */
export type Credential =
  | { readonly kind: 'password'; readonly username: string; readonly password: Secret }
  | { readonly kind: 'identity-token'; readonly token: Secret };

/**
 * Finds the credential for a registry's `host[:port]` (docker.io by that name), or undefined.
 * A repository path may follow (`quay.io/team/app`): then an entry for `quay.io/team` wins over
 * one for `quay.io`, as podman does it.
 */
export interface CredentialSource {
  credentialFor(registry: string, run: Run): Promise<Credential | undefined>;
}

/** Whom to trust when speaking TLS with one registry, and how to identify ourselves. PEM texts. */
export interface TlsTrust {
  /** Trusted in addition to the system's authorities. */
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: Secret;
  /** Certificates are not checked at all; every report says so (R0-87). */
  readonly skipVerify?: boolean;
}
