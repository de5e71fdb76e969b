import type { Digest } from '../../../oci/digest.ts';
import { MediaTypes } from '../../../oci/media-types.ts';
import { type Run, withSignal } from '../../../shared/run.ts';
import {
  RegistryAnswerInvalid,
  RegistryRefused,
  RepositoryNotFound,
  UploadLost,
} from '../errors.ts';
import type { RequestBody, Scope, TransportRequest, TransportResponse } from '../transport.ts';
import type { RepositoryApi } from './repository-api.ts';
import { requireCreated } from './require-created.ts';

/** How long the cancelling of a failed upload may take; a registry forgets it by itself later. */
const cancelTimeoutMs = 5000;

/**
 * One upload session of a registry: an address that changes with every answer. Each method is one request.
 * Source: distribution-spec, "Pushing Blobs".
 */
export class UploadSession {
  readonly #api: RepositoryApi;
  readonly #digest: Digest;
  #location: URL;
  /** The least size of a chunk, except the last, that this registry takes. */
  readonly minChunkBytes: number;

  private constructor(api: RepositoryApi, digest: Digest, location: URL, minChunkBytes: number) {
    this.#api = api;
    this.#digest = digest;
    this.#location = location;
    this.minChunkBytes = minChunkBytes;
  }

  /** A new session. REPOSITORY_NOT_FOUND. */
  static async begin(api: RepositoryApi, digest: Digest, run: Run): Promise<UploadSession> {
    const request = beginRequest(api, digest);
    const response = await api.transport.request(request, run);
    if (response.status !== 202) throw await beginFailure(api, request, response, run);
    return UploadSession.#opened(api, digest, request, response);
  }

  /**
   * Asks the registry to make the blob visible here from another repository, `''` for any. Undefined: it is
   * done; else the session that the registry opened in its place.
   */
  static async mount(
    api: RepositoryApi,
    blob: { readonly digest: Digest; readonly from: string },
    run: Run,
  ): Promise<UploadSession | undefined> {
    const request = mountRequest(api, blob.digest, blob.from);
    const response = await api.transport.request(request, run);
    if (response.status === 202) return UploadSession.#opened(api, blob.digest, request, response);
    if (response.status !== 201) throw await beginFailure(api, request, response, run);
    await response.discard();
    return undefined;
  }

  static async #opened(
    api: RepositoryApi,
    digest: Digest,
    request: TransportRequest,
    response: TransportResponse,
  ): Promise<UploadSession> {
    await response.discard();
    const minChunkBytes = Number(response.headers['oci-chunk-min-length'] ?? 0) || 0;
    return new UploadSession(api, digest, locationOf(api, request, response), minChunkBytes);
  }

  /** Everything in one request; never repeated, since the session may have kept a part. */
  async putWhole(body: RequestBody, run: Run): Promise<void> {
    const request = { ...this.#request('PUT', this.#closing()), body, repeatable: false };
    const response = await this.#api.transport.request(withType(request), run);
    await requireCreated(this.#api, request, response, run);
  }

  /** Sends one chunk that begins at byte `at`; resolves with how many bytes the registry then has. */
  async patch(chunk: Uint8Array, at: number, run: Run): Promise<number> {
    const end = at + chunk.length;
    const request = {
      ...this.#request('PATCH', this.#location),
      headers: { 'content-range': `${at}-${end - 1}`, 'content-type': MediaTypes.octets },
      body: chunk,
      repeatable: false,
    };
    const response = await this.#api.transport.request(request, run);
    if (response.status >= 300) throw await this.#api.failure(request, response, run);
    await response.discard();
    this.#move(request, response);
    // Some registries name the byte after the last one here; more than was sent it cannot have.
    return Math.min(end, offsetOf(response) ?? end);
  }

  /** How many bytes the registry has. UPLOAD_LOST if it no longer knows the session. */
  async offset(run: Run): Promise<number> {
    const request = this.#request('GET', this.#location);
    const response = await this.#api.transport.request(request, run);
    if (response.status === 404) {
      await response.discard();
      throw this.lost('it no longer knows the session');
    }
    if (response.status >= 300) throw await this.#api.failure(request, response, run);
    await response.discard();
    this.#move(request, response);
    return offsetOf(response) ?? 0;
  }

  /** Closes a session that holds all bytes; false if the registry does not know it (any more). */
  async complete(run: Run): Promise<boolean> {
    const request = this.#request('PUT', this.#closing());
    const response = await this.#api.transport.request(request, run);
    if (response.status === 404) {
      await response.discard();
      return false;
    }
    await requireCreated(this.#api, request, response, run);
    return true;
  }

  /** Frees what the registry keeps for this session; also after `run` was aborted, and without complaint. */
  async cancel(run: Run): Promise<void> {
    const request = { ...this.#request('DELETE', this.#location), repeatable: false };
    const ownRun = withSignal(run, AbortSignal.timeout(cancelTimeoutMs));
    try {
      const response = await this.#api.transport.request(request, ownRun);
      await response.discard();
    } catch (error) {
      run.log.debug('upload session not cancelled', { repository: this.#api.label, error });
    }
  }

  /** The error for a session that cannot be continued. */
  lost(reason: string): Error {
    const about = this.#api.about(this.#request('PUT', this.#location));
    return new UploadLost({ ...about, digest: this.#digest, reason });
  }

  #request(method: TransportRequest['method'], url: URL) {
    const purpose = `uploading blob ${this.#digest} to ${this.#api.label}`;
    return this.#api.ask(method, url, 'push', purpose);
  }

  /** The query of the address holds the registry's own state: it is carried byte by byte. */
  #closing(): URL {
    const url = new URL(this.#location);
    url.search += `${url.search === '' ? '?' : '&'}digest=${encodeURIComponent(this.#digest)}`;
    return url;
  }

  #move(request: TransportRequest, response: TransportResponse): void {
    if (response.headers['location'] === undefined) return;
    this.#location = locationOf(this.#api, request, response);
  }
}

function withType(request: TransportRequest): TransportRequest {
  return { ...request, headers: { 'content-type': MediaTypes.octets } };
}

function beginRequest(
  api: RepositoryApi,
  digest: Digest,
): TransportRequest & { readonly scopes: readonly Scope[] } {
  const purpose = `beginning the upload of blob ${digest} to ${api.label}`;
  // A session that is begun twice costs the registry nothing.
  return { ...api.ask('POST', api.url('blobs/uploads/'), 'push', purpose), repeatable: true };
}

function mountRequest(api: RepositoryApi, digest: Digest, from: string): TransportRequest {
  const request = beginRequest(api, digest);
  const url = new URL(request.url);
  url.searchParams.set('mount', digest);
  if (from === '') return { ...request, url };
  url.searchParams.set('from', from);
  const other: Scope = { type: 'repository', name: from, actions: ['pull'] };
  return { ...request, url, scopes: [...request.scopes, other] };
}

async function beginFailure(
  api: RepositoryApi,
  request: TransportRequest,
  response: TransportResponse,
  run: Run,
): Promise<Error> {
  const failure = await api.failure(request, response, run);
  if (!(failure instanceof RegistryRefused) || response.status !== 404) return failure;
  return new RepositoryNotFound({ ...api.about(request), label: api.label }, { cause: failure });
}

function locationOf(
  api: RepositoryApi,
  request: TransportRequest,
  response: TransportResponse,
): URL {
  const text = response.headers['location'] ?? '';
  const location = text === '' ? undefined : api.transport.resolve(text, response.url);
  if (location !== undefined) return location;
  const reason =
    text === ''
      ? 'it names no address for the upload'
      : `${api.transport.secrets.redact(text)} is no address`;
  throw new RegistryAnswerInvalid({ ...api.about(request), reason });
}

/** `Range: 0-1023` → 1024; `0-0` is what distribution says for nothing, so it counts as 0. */
function offsetOf({ headers }: TransportResponse): number | undefined {
  const last = /^(?:bytes=)?0-(\d+)$/.exec(headers['range'] ?? '')?.[1];
  if (last === undefined) return undefined;
  return last === '0' ? 0 : Number(last) + 1;
}
