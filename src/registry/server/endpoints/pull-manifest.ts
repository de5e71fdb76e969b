import { collectBytes } from '../../../content/byte-streams.ts';
import { BlobNotFound } from '../../../content/errors.ts';
import type { Digest } from '../../../oci/digest.ts';
import type { Run } from '../../../shared/run.ts';
import { type Exchange, sendEmpty, sendHead } from '../exchange.ts';
import type { CachedManifest } from '../manifest-cache.ts';
import { manifestUnknown } from '../refusal.ts';
import type { RegistryParts } from '../registry-parts.ts';
import type { ManifestReference } from '../route.ts';

/** What the manifest endpoints are asked about. */
export interface ManifestTarget {
  readonly repository: string;
  readonly reference: ManifestReference;
}

/** GET and HEAD `/v2/NAME/manifests/TAG-OR-DIGEST`. Source: distribution-spec, "Pulling manifests". */
export async function pullManifest(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, reference }: ManifestTarget,
): Promise<void> {
  const digest = await digestBehind(parts, repository, reference);
  const manifest = await loadManifest(parts, { repository, digest }, exchange.run);
  if (manifest === undefined) throw manifestUnknown(repository, textOf(reference));
  const headers = { 'docker-content-digest': digest, etag: `"${digest}"` };
  if (isUnchanged(exchange, digest)) return sendEmpty(exchange, 304, headers);
  sendHead(exchange, 200, {
    'content-type': manifest.mediaType,
    'content-length': manifest.bytes.length,
    ...headers,
  });
  exchange.response.end(manifest.bytes);
}

/** The digest that a reference stands for; throws a refusal with MANIFEST_UNKNOWN. */
export async function digestBehind(
  parts: RegistryParts,
  repository: string,
  reference: ManifestReference,
): Promise<Digest> {
  if (reference.kind === 'digest') return reference.digest;
  const found =
    reference.kind === 'tag'
      ? await parts.repositories.resolve(repository, reference.tag)
      : undefined;
  if (found === undefined) throw manifestUnknown(repository, textOf(reference));
  return found;
}

/** The reference as it was written. */
export function textOf(reference: ManifestReference): string {
  switch (reference.kind) {
    case 'tag':
      return reference.tag;
    case 'digest':
      return reference.digest;
    case 'invalid':
      return reference.text;
  }
}

async function loadManifest(
  parts: RegistryParts,
  { repository, digest }: { readonly repository: string; readonly digest: Digest },
  run: Run,
): Promise<CachedManifest | undefined> {
  const cached = parts.cache.get(repository, digest);
  if (cached !== undefined) return cached;
  const { age } = parts.cache;
  const entry = await parts.repositories.findManifest(repository, digest);
  if (entry === undefined) return undefined;
  const { mediaType } = entry.descriptor;
  const bytes = await readWhole(parts, entry.descriptor, run);
  if (bytes === undefined) return undefined;
  const manifest = { mediaType, digest, bytes };
  parts.cache.keep(repository, manifest, age);
  return manifest;
}

/** Undefined if the bytes are gone or not whole: such a manifest does not count as present. */
async function readWhole(
  parts: RegistryParts,
  blob: { readonly digest: Digest; readonly size: number },
  run: Run,
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await collectBytes(await parts.content.open(blob, run));
    return bytes.length === blob.size ? bytes : undefined;
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined;
    throw error;
  }
}

function isUnchanged({ request }: Exchange, digest: Digest): boolean {
  const known = request.headers['if-none-match'];
  return (
    known?.split(',').some((tag) => tag.trim() === `"${digest}"` || tag.trim() === digest) ?? false
  );
}
