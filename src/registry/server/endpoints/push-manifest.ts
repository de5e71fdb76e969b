import type { ByteStream } from '../../../content/ports.ts';
import { type Digest, digestOf, splitDigest } from '../../../oci/digest.ts';
import { type Manifest, maxManifestBytes, parseManifest } from '../../../oci/manifest.ts';
import { referrerDescriptor } from '../../../oci/referrers.ts';
import { SlipwayError } from '../../../shared/errors.ts';
import { bodyOf, contentLengthOf, type Exchange, sendEmpty } from '../exchange.ts';
import { refuse } from '../refusal.ts';
import type { RegistryParts } from '../registry-parts.ts';
import { isTag, type ManifestReference } from '../route.ts';
import { requireWritable } from '../writable.ts';
import { requireParts } from './manifest-parts-present.ts';
import { type ManifestTarget, textOf } from './pull-manifest.ts';

/** PUT `/v2/NAME/manifests/TAG-OR-DIGEST[?tag=…]`. Source: distribution-spec, "Pushing Manifests". */
export async function pushManifest(
  parts: RegistryParts,
  exchange: Exchange,
  target: ManifestTarget,
): Promise<void> {
  requireWritable(parts);
  const tags = tagsToSet(exchange, target.reference);
  await parts.manifestRoom.hold(async (take) => {
    const bytes = await parts.transfers.receive(bodyOf(exchange), (body) =>
      readManifest(exchange, body, (byteCount) => {
        takeOrMakeRoom(parts, take, byteCount);
      }),
    );
    await parts.manifestRoom.understand(bytes.length, () =>
      takeManifest(parts, exchange, { ...target, tags, bytes }),
    );
  });
}

/** Whoever sends next to nothing loses its place, so that the next try succeeds. */
function takeOrMakeRoom(
  parts: RegistryParts,
  take: (byteCount: number) => void,
  byteCount: number,
): void {
  try {
    take(byteCount);
  } catch (error) {
    parts.transfers.sendSlowestAway();
    throw error;
  }
}

interface SentManifest extends ManifestTarget {
  readonly tags: readonly string[];
  readonly bytes: Uint8Array;
}

async function takeManifest(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, reference, tags, bytes }: SentManifest,
): Promise<void> {
  const { storage } = requireWritable(parts);
  const digest = requireDigestOf(bytes, reference);
  const manifest = parsed(bytes, exchange.request.headers['content-type']);
  await requireParts(parts, { repository, manifest }, exchange.run);

  const descriptor = referrerDescriptor(manifest, { digest, size: bytes.length });
  await storage.content.put(descriptor, single(bytes), exchange.run);
  const subject = manifest.content.subject?.digest;
  const entry = { descriptor, ...(subject && { subject }) };
  await storage.repositories.putManifest(repository, entry, tags);

  sendEmpty(exchange, 201, {
    location: parts.locate(`/v2/${repository}/manifests/${textOf(reference)}`),
    'docker-content-digest': digest,
    ...(subject && { 'oci-subject': subject }),
    ...(reference.kind === 'digest' && tags.length > 0 && { 'oci-tag': tags.join(', ') }),
  });
}

const maxTags = 100;

function tagsToSet({ query }: Exchange, reference: ManifestReference): readonly string[] {
  if (reference.kind === 'tag') return [reference.tag];
  if (reference.kind === 'invalid') throw invalidTag(reference.text);
  const tags = [...new Set(query.getAll('tag'))];
  const wrong = tags.find((tag) => !isTag(tag));
  if (wrong !== undefined) throw invalidTag(wrong);
  if (tags.length > maxTags) {
    throw refuse(414, 'UNSUPPORTED', `${tags.length} tags in one request, the limit is ${maxTags}`);
  }
  return tags;
}

function invalidTag(tag: string): Error {
  return refuse(400, 'MANIFEST_INVALID', `${JSON.stringify(tag)} is not a tag`, { tag });
}

async function readManifest(
  exchange: Exchange,
  body: ByteStream,
  take: (byteCount: number) => void,
): Promise<Uint8Array> {
  if ((contentLengthOf(exchange) ?? 0) > maxManifestBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let gotBytes = 0;
  for await (const chunk of body) {
    gotBytes += chunk.length;
    if (gotBytes > maxManifestBytes) throw tooLarge();
    take(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Error {
  return refuse(413, 'SIZE_INVALID', `a manifest may have at most ${maxManifestBytes} bytes`);
}

function requireDigestOf(bytes: Uint8Array, reference: ManifestReference): Digest {
  if (reference.kind !== 'digest') return digestOf(bytes);
  const got = digestOf(bytes, splitDigest(reference.digest).algorithm);
  if (got === reference.digest) return got;
  throw refuse(400, 'DIGEST_INVALID', `the manifest has the digest ${got}`, {
    want: reference.digest,
    got,
  });
}

function parsed(bytes: Uint8Array, contentType: string | undefined): Manifest {
  try {
    return parseManifest(bytes, contentType);
  } catch (error) {
    if (!(error instanceof SlipwayError)) throw error;
    throw refuse(400, 'MANIFEST_INVALID', error.message);
  }
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
