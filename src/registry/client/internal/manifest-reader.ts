import { ManifestNotFound } from '../../../content/errors.ts';
import type { ManifestContent } from '../../../content/ports.ts';
import { contentPlace, inPlace } from '../../../oci/content-place.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { type Digest, digestOf, isDigest, splitDigest } from '../../../oci/digest.ts';
import { ManifestInvalid, ManifestTooLarge } from '../../../oci/errors.ts';
import { parseManifest } from '../../../oci/manifest.ts';
import { acceptedManifestTypes } from '../../../oci/media-types.ts';
import type { Run } from '../../../shared/run.ts';
import { ManifestDigestMismatch, ResponseTooLarge } from '../errors.ts';
import type { BufferedResponse, TransportResponse } from '../transport.ts';
import { isWebPage } from './failure.ts';
import { mediaTypeOf, type RepositoryApi } from './repository-api.ts';

const accept = acceptedManifestTypes.join(', ');

/** Reads manifests of one repository and checks them against every digest that is named. */
export class ManifestReader {
  readonly #api: RepositoryApi;

  constructor(api: RepositoryApi) {
    this.#api = api;
  }

  /** MANIFEST_NOT_FOUND, MANIFEST_TOO_LARGE, MANIFEST_DIGEST_MISMATCH, MANIFEST_INVALID and those of the answer. */
  async fetch(reference: string, run: Run): Promise<ManifestContent> {
    const content = await this.#get(reference, run);
    if (content === undefined) throw this.#notFound(reference);
    return content;
  }

  /** MANIFEST_NOT_FOUND. */
  async resolve(reference: string, run: Run): Promise<Descriptor> {
    const descriptor = await this.find(reference, run);
    if (descriptor === undefined) throw this.#notFound(reference);
    return descriptor;
  }

  /** By HEAD; by GET if the registry has no HEAD or leaves out digest, size or type. */
  async find(reference: string, run: Run): Promise<Descriptor | undefined> {
    const request = {
      ...this.#api.ask('HEAD', this.#url(reference), 'pull', this.#purpose(reference)),
      headers: { accept },
    };
    const response = await this.#api.transport.request(request, run);
    await response.discard();
    if (isAbsent(response)) return undefined;
    // Without a body nothing tells a page from a registry, so GET shows what it is.
    if (response.status === 405 || response.status === 404)
      return this.#getDescriptor(reference, run);
    if (response.status !== 200) throw await this.#api.failure(request, response, run);
    return this.#described(reference, response) ?? this.#getDescriptor(reference, run);
  }

  async #getDescriptor(reference: string, run: Run): Promise<Descriptor | undefined> {
    return (await this.#get(reference, run))?.descriptor;
  }

  #described(reference: string, { headers }: TransportResponse): Descriptor | undefined {
    const digest = headers['docker-content-digest'] ?? '';
    const size = Number(headers['content-length'] ?? Number.NaN);
    const mediaType = mediaTypeOf(headers);
    if (!isDigest(digest) || !Number.isSafeInteger(size) || !accept.includes(mediaType)) {
      return undefined;
    }
    if (isDigest(reference) && digest !== reference) {
      throw this.#mismatch(reference, reference, digest);
    }
    return { mediaType, digest, size };
  }

  async #get(reference: string, run: Run): Promise<ManifestContent | undefined> {
    const request = {
      ...this.#api.ask('GET', this.#url(reference), 'pull', this.#purpose(reference)),
      headers: { accept },
    };
    const limit = this.#api.transport.settings.limits.manifestBytes;
    const response = await this.#api.transport.read(request, limit, run).catch((error) => {
      if (!(error instanceof ResponseTooLarge)) throw error;
      const { gotBytes: sizeBytes } = error.data;
      const where = this.#placeOf(reference);
      throw new ManifestTooLarge({ sizeBytes, limitBytes: limit, where }, { cause: error });
    });
    if (isAbsent(response)) return undefined;
    if (response.status !== 200 || isWebPage(response.headers)) {
      throw await this.#api.failure(request, response, run);
    }
    return this.#checked(reference, response);
  }

  #checked(reference: string, { bytes, headers }: BufferedResponse): ManifestContent {
    const header = headers['docker-content-digest'] ?? '';
    const named = [reference, header].filter(isDigest);
    for (const want of named) {
      const got = digestOf(bytes, splitDigest(want).algorithm);
      if (got !== want) throw this.#mismatch(reference, want, got);
    }
    const digest = named[0] ?? digestOf(bytes);
    const mediaType = this.#typeOf(reference, bytes, mediaTypeOf(headers));
    return { descriptor: { mediaType, digest, size: bytes.length }, bytes };
  }

  /** What is no manifest is quoted in the error, so a login in it is taken out. */
  #typeOf(reference: string, bytes: Uint8Array, declared: string): string {
    try {
      return inPlace(this.#placeOf(reference), () => parseManifest(bytes, declared)).mediaType;
    } catch (error) {
      if (!(error instanceof ManifestInvalid)) throw error;
      const { secrets } = this.#api.transport;
      // Without the cause: JSON.parse quotes a piece of the text, which may be a piece of a login.
      throw new ManifestInvalid({ ...error.data, reason: secrets.redact(error.data.reason) });
    }
  }

  #placeOf(reference: string): string {
    const { label, endpoint } = this.#api;
    return contentPlace(label, reference, endpoint.side ?? 'source');
  }

  #url(reference: string): URL {
    return this.#api.url(`manifests/${reference}`);
  }

  #purpose(reference: string): string {
    return `reading the manifest ${reference} of ${this.#api.label}`;
  }

  #notFound(reference: string): Error {
    const { label, endpoint } = this.#api;
    return new ManifestNotFound({ side: endpoint.side ?? 'source', label, reference });
  }

  #mismatch(reference: string, want: string, got: Digest): Error {
    const { label, endpoint } = this.#api;
    const side = endpoint.side ?? 'source';
    return new ManifestDigestMismatch({ side, label, reference, want, got });
  }
}

/** A 404 of a registry; the 404 of a web server says nothing about images. */
export function isAbsent(response: TransportResponse | BufferedResponse): boolean {
  return response.status === 404 && !isWebPage(response.headers);
}
