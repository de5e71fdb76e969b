import type { ManifestContent } from '../../../content/ports.ts';
import { contentPlace, inPlace } from '../../../oci/content-place.ts';
import type { Descriptor } from '../../../oci/descriptor.ts';
import { type Digest, digestOf, isDigest, splitDigest } from '../../../oci/digest.ts';
import { parseManifest } from '../../../oci/manifest.ts';
import { isIndexType } from '../../../oci/media-types.ts';
import { referrerDescriptor } from '../../../oci/referrers.ts';
import type { Run } from '../../../shared/run.ts';
import { ManifestDigestMismatch, ManifestIncomplete, RegistryRefused } from '../errors.ts';
import type { RepositoryApi } from './repository-api.ts';
import { requireCreated } from './require-created.ts';

/** What registries say when content that a manifest names is not there. */
const incomplete: ReadonlySet<string> = new Set([
  'MANIFEST_BLOB_UNKNOWN',
  'BLOB_UNKNOWN',
  'MANIFEST_UNKNOWN',
]);

/** An artefact that the registry did not list by itself under the image that it is about. */
export interface UnlistedReferrer {
  readonly subject: Digest;
  readonly descriptor: Descriptor;
}

/** Writes and deletes manifests of one repository. */
export class ManifestWriter {
  readonly #api: RepositoryApi;

  constructor(api: RepositoryApi) {
    this.#api = api;
  }

  /**
   * Stores the bytes under their digest, and under `tag` if there is one. A registry files what is put under
   * a tag by sha256, so another digest takes two requests. MANIFEST_INCOMPLETE, MANIFEST_DIGEST_MISMATCH.
   */
  async put(
    manifest: ManifestContent,
    tag: string | undefined,
    run: Run,
  ): Promise<UnlistedReferrer | undefined> {
    const { digest } = manifest.descriptor;
    const isCanonical = splitDigest(digest).algorithm === 'sha256';
    if (tag !== undefined && !isCanonical) await this.#putAs(manifest, digest, run);
    const isListed = await this.#putAs(manifest, tag ?? digest, run);
    return isListed ? undefined : this.#unlistedReferrer(manifest);
  }

  async delete(reference: string, run: Run): Promise<void> {
    const purpose = `deleting ${reference} in ${this.#api.label}`;
    const url = this.#api.url(`manifests/${reference}`);
    const request = this.#api.ask('DELETE', url, 'delete', purpose);
    const response = await this.#api.transport.request(request, run);
    if (response.status === 404) return response.discard();
    if (response.status >= 300) throw await this.#api.failure(request, response, run);
    await response.discard();
  }

  /** True if the registry says that it has taken notice of the subject. */
  async #putAs(manifest: ManifestContent, reference: string, run: Run): Promise<boolean> {
    const url = this.#api.url(`manifests/${reference}`);
    const purpose = `writing the manifest ${reference} of ${this.#api.label}`;
    const request = {
      ...this.#api.ask('PUT', url, 'push', purpose),
      headers: { 'content-type': manifest.descriptor.mediaType },
      body: manifest.bytes,
    };
    const response = await this.#api.transport.request(request, run);
    try {
      await requireCreated(this.#api, request, response, run);
    } catch (error) {
      throw this.#explained(manifest, error);
    }
    this.#checkStored(manifest, reference, response.headers['docker-content-digest'] ?? '');
    return response.headers['oci-subject'] !== undefined;
  }

  #checkStored(manifest: ManifestContent, reference: string, stored: string): void {
    if (!isDigest(stored)) return;
    const { label, endpoint } = this.#api;
    const got = digestOf(manifest.bytes, splitDigest(stored).algorithm);
    if (stored === got) return;
    const side = endpoint.side ?? 'target';
    throw new ManifestDigestMismatch({ side, label, reference, want: got, got: stored });
  }

  #explained(manifest: ManifestContent, failure: unknown): unknown {
    if (!(failure instanceof RegistryRefused)) return failure;
    const { codes, ...answered } = failure.data;
    if (!codes.some((code) => incomplete.has(code))) return failure;
    const { digest, mediaType } = manifest.descriptor;
    const isIndex = isIndexType(mediaType);
    const { label } = this.#api;
    return new ManifestIncomplete({ ...answered, label, digest, isIndex }, { cause: failure });
  }

  #unlistedReferrer({ bytes, descriptor }: ManifestContent): UnlistedReferrer | undefined {
    // Most manifests have no subject, and parsing each one that is copied would be for nothing.
    if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('"subject"')) {
      return undefined;
    }
    const { label, endpoint } = this.#api;
    const where = contentPlace(label, descriptor.digest, endpoint.side ?? 'target');
    const manifest = inPlace(where, () => parseManifest(bytes, descriptor.mediaType));
    const subject = manifest.content.subject?.digest;
    if (subject === undefined) return undefined;
    return { subject, descriptor: referrerDescriptor(manifest, descriptor) };
  }
}
