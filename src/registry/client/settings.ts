/** What the caller decides about a registry client; nothing here is read from the environment. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Side } from '../../content/ports.ts';
import type { Clock, Random } from '../../shared/ports.ts';
import type { RetryPolicy } from '../../shared/retry.ts';
import type { Secret } from '../../shared/secret.ts';
import type { ServerRefusal } from '../../trust/go-x509/refuse-server.ts';
import type { CredentialSource, TlsTrust } from '../../trust/ports.ts';
import type { TokenRequester } from './token-requester.ts';

/** How another program speaks TLS, for whoever finds out on its behalf what it would meet. */
export interface TlsRules {
  /** The suites that it offers, as OpenSSL lists them. */
  readonly ciphers: string;
  /** Decides instead of OpenSSL; `sent` is DER, the server's own certificate first. */
  refuse(host: string, sent: readonly Uint8Array[]): TlsRefusal | undefined;
}

/** What is wrong with a server's certificate; `untrusted`: no authority that is known vouches for it. */
export type CertificateFault = ServerRefusal['kind'];

/** Why a server is not believed, and what to do about it. */
export interface TlsRefusal {
  readonly kind: CertificateFault;
  readonly reason: string;
  readonly fix: string;
}

/**
 * One registry: who it is and where it is reached. The two differ when `registry.k8s.io` is played
 * by `http://127.0.0.1:5001`: the name stands in messages and finds the credentials, the URL gets
 * the requests.
 */
export interface RegistryEndpoint {
  /** Logical `host[:port]`: `registry.k8s.io`, `harbor.plant7.example:8443`, `docker.io`. */
  readonly name: string;
  /** Scheme, host, port and optional path prefix before `/v2/`: `https://10.0.0.5:5000/mirror`. */
  readonly url: string;
  readonly trust: TlsTrust;
  /**
   * Replaces our own judgement of certificates, for the registry and whoever it sends us to: then
   * `trust.ca` and `trust.skipVerify` are theirs to respect. Through a proxy both must agree.
   */
  readonly tlsRules?: TlsRules;
  readonly credentials?: CredentialSource;
  /** Sent to its token server as well, as some programs do; names in lower case, values may be secret. */
  readonly tokenHeaders?: ReadonlyMap<string, Secret>;
  /** Asks its token server in our stead. */
  readonly tokenRequester?: TokenRequester;
  /** Which end of a copy it is; without it, reading counts as source and writing as target. */
  readonly side?: Side;
  /** Follows a redirect from https to http; off by default, since content would travel in clear. */
  readonly allowPlainRedirects?: boolean;
}

/** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY as the composition root found them. */
export interface ProxySettings {
  readonly http?: string;
  readonly https?: string;
  readonly noProxy?: string;
}

/** Bounds of one client. Sizes in bytes. */
export interface ClientLimits {
  /** A larger manifest is refused with MANIFEST_TOO_LARGE while it streams. */
  readonly manifestBytes: number;
  /** Requests that may wait for one registry's answer at the same time, at most. */
  readonly parallelRequests: number;
  /** Size of one piece of a chunked upload; each upload under way holds one in memory. */
  readonly chunkBytes: number;
  /** Blobs above this size are always uploaded in chunks. */
  readonly monolithicBytes: number;
  /** How often one download goes on after a broken connection without 1 MiB of progress between. */
  readonly downloadResumes: number;
  readonly redirects: number;
}

/** How long the client waits, in milliseconds. */
export interface ClientTimeouts {
  /** TCP and TLS handshake. */
  readonly connectMs: number;
  /** From the sent request to the answer's headers; also an upload that the peer stops reading. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly idleBodyMs: number;
  /** How long a body may take for each `stallBytes`: slower than that it counts as stuck. */
  readonly stallMs: number;
  readonly stallBytes: number;
  /** The longest `Retry-After` that is obeyed; what asks for more fails at once. */
  readonly retryAfterMs: number;
}

/** Everything a client needs from outside; start from {@link defaultClientSettings}. */
export interface ClientSettings {
  readonly clock: Clock;
  readonly random: Random;
  readonly proxy?: ProxySettings;
  readonly limits: ClientLimits;
  readonly timeouts: ClientTimeouts;
  readonly retry: RetryPolicy;
  readonly userAgent: string;
  /**
   * Called with each address right before something is sent there: redirects and token servers
   * too. What it throws ends the request, so that nothing reaches a host that is not allowed.
   */
  readonly beforeSend?: (url: URL) => void;
  /**
   * `10.0.0.5:5443` → `127.0.0.1:11443`: connections for the first go to the second, for whoever
   * sees a registry under another address; names and certificates stay those of the URL. Keys have
   * their port. Without effect behind a proxy.
   */
  readonly connectTo?: ReadonlyMap<string, string>;
  /** Waits `delayMs` or until `signal` aborts (then rejects); tests pass one that does not wait. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

const MiB = 1024 * 1024;

/**
 * Settings that suit every registry: `defaultClientSettings({ clock, random, userAgent })`. The manifest
 * bound is the one that the distribution specification tells clients to expect.
 */
export function defaultClientSettings(
  world: Pick<ClientSettings, 'clock' | 'random' | 'userAgent' | 'proxy'>,
): ClientSettings {
  return {
    ...world,
    limits: {
      manifestBytes: 4 * MiB,
      parallelRequests: 16,
      chunkBytes: 8 * MiB,
      monolithicBytes: 5 * 1024 * MiB,
      downloadResumes: 5,
      redirects: 5,
    },
    timeouts: {
      connectMs: 10_000,
      headersMs: 60_000,
      idleBodyMs: 60_000,
      // 273 B/s: a modem is faster, so nothing that moves is given up.
      stallMs: 60_000,
      stallBytes: 16 * 1024,
      retryAfterMs: 120_000,
    },
    retry: { attempts: 5, firstDelayMs: 500, maxDelayMs: 20_000 },
    sleep: (delayMs, signal) => sleep(delayMs, undefined, { signal }),
  };
}
