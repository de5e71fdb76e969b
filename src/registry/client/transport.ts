import type { ByteStream } from '../../content/ports.ts';
import type { Run } from '../../shared/run.ts';
import { PolicyTransport } from './internal/policy-transport.ts';
import type { ClientSettings, RegistryEndpoint } from './settings.ts';

/** A permission on one repository, as token servers are asked for it: `repository:a/b:pull,push`. */
export interface Scope {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/** Bytes at hand can be sent again; a stream cannot, so its request is never repeated. */
export type RequestBody =
  | Uint8Array
  | { readonly stream: AsyncIterable<Uint8Array>; readonly sizeBytes: number };

/** One request; only method and URL are needed. */
export interface TransportRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  /** What it is for, as errors say it: `reading the manifest 3.9 of registry.k8s.io/pause`. */
  readonly purpose?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** What a token must allow; without it the registry's challenge says so. */
  readonly scopes?: readonly Scope[];
  /** False: a redirect is the answer. Default true. */
  readonly followRedirects?: boolean;
  /** False: no credentials and no token are sent, a 401 is the answer. Default true. */
  readonly authenticate?: boolean;
  /** False: sent once only, whatever happens. Default: true for GET, HEAD, PUT and DELETE. */
  readonly repeatable?: boolean;
}

/**
 * An answer of any status; `body` must be read to its end or given back with `discard`, else its
 * connection stays taken.
 */
export interface TransportResponse {
  readonly status: number;
  /** Lower-case names; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fails with REGISTRY_CONNECTION_LOST or REGISTRY_TIMEOUT. */
  readonly body: ByteStream;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  discard(): Promise<void>;
}

/** A {@link TransportResponse} whose body was read. */
export interface BufferedResponse extends Omit<TransportResponse, 'body' | 'discard'> {
  readonly bytes: Uint8Array;
}

/**
 * Sends requests for one registry with all policies: authentication, redirects, retries with
 * back-off, rate control, proxy, TLS, timeouts. Resolves with whatever status the registry gave in
 * the end; rejects when there was no answer (REGISTRY_UNREACHABLE, REGISTRY_TIMEOUT), when
 * credentials are refused or unsafe to send, or with the reason of `run.signal`.
 */
export interface Transport {
  request(request: TransportRequest, run: Run): Promise<TransportResponse>;
  /**
   * The same with the body read, which a broken connection repeats; above `maxBytes` RESPONSE_TOO_LARGE. Of an
   * answer with an error status only the first 64 KiB are kept, whatever there is.
   */
  read(request: TransportRequest, maxBytes: number, run: Run): Promise<BufferedResponse>;
  /** Closes all connections; requests under way fail. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Opens the transport of one registry; does no I/O. REGISTRY_ADDRESS_INVALID for a URL that is not http(s).
 * `openTransport({ name: 'quay.io', url: 'https://quay.io', trust: {} }, settings)`
 */
export function openTransport(endpoint: RegistryEndpoint, settings: ClientSettings): Transport {
  return new PolicyTransport(endpoint, settings);
}
