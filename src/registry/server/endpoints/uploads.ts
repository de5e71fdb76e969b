import { bytesOf } from '../../../content/byte-streams.ts';
import { BlobSizeMismatch } from '../../../content/errors.ts';
import type { Digest } from '../../../oci/digest.ts';
import type { Run } from '../../../shared/run.ts';
import { type Exchange, hasBody, sendEmpty } from '../exchange.ts';
import { refuse } from '../refusal.ts';
import type { RegistryParts, WritableStorage } from '../registry-parts.ts';
import { digestParameter, isRepositoryName } from '../route.ts';
import type { UploadSession } from '../upload-sessions.ts';
import { requireWritable } from '../writable.ts';
import { commitUpload, receiveBody } from './receive-blob.ts';
import { sendProgress } from './upload-progress.ts';

/** The repository that an upload goes to. */
export interface UploadsTarget {
  readonly repository: string;
}

/** One upload of a repository. */
export interface UploadTarget extends UploadsTarget {
  readonly id: string;
}

/**
 * POST `/v2/NAME/blobs/uploads/`: mounts a blob (`mount`, with or without `from`), takes a whole
 * blob (`digest`), or opens an upload. Source: distribution-spec, end-4a to end-4c and end-11.
 */
export async function startUpload(
  parts: RegistryParts,
  exchange: Exchange,
  { repository }: UploadsTarget,
): Promise<void> {
  const { uploads } = requireWritable(parts);
  requireKnownAlgorithm(exchange.query.get('digest-algorithm'));
  if (await mounted(parts, exchange, repository)) return;
  const digestText = exchange.query.get('digest');
  const digest = digestText === null ? undefined : digestParameter(digestText);
  const session = await uploads.open(repository, exchange.run);
  // A client that has nothing to send with the digest expects a place to send it to.
  if (digest === undefined || isOnlyAnnounced(exchange, digest)) {
    return sendProgress(parts, exchange, { session, status: 202 });
  }
  await uploads.use(repository, session.id, () => takeWhole(parts, exchange, { session, digest }));
}

/** The digests of nothing, which need no body to be complete. */
const emptyDigests: ReadonlySet<string> = new Set([
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'sha512:cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e',
]);

function isOnlyAnnounced(exchange: Exchange, digest: Digest): boolean {
  return !hasBody(exchange) && !emptyDigests.has(digest);
}

async function takeWhole(
  parts: RegistryParts,
  exchange: Exchange,
  { session, digest }: { readonly session: UploadSession; readonly digest: Digest },
): Promise<void> {
  const { uploads } = requireWritable(parts);
  try {
    await receiveBody(parts, exchange, session);
    await commitUpload(parts, exchange, { session, digest });
  } finally {
    await uploads.close(session);
  }
}

/** PATCH of an upload: the next chunk, or a stream of unknown length. Source: end-5. */
export async function continueUpload(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, id }: UploadTarget,
): Promise<void> {
  const { uploads } = requireWritable(parts);
  await uploads.use(repository, id, async (session) => {
    await receiveBody(parts, exchange, session);
    sendProgress(parts, exchange, { session, status: 202 });
  });
}

/** PUT of an upload with `digest`: the last chunk, if any, and the end. Source: end-6. */
export async function finishUpload(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, id }: UploadTarget,
): Promise<void> {
  const { uploads } = requireWritable(parts);
  const digest = digestParameter(exchange.query.get('digest') ?? '');
  await uploads.use(repository, id, async (session) => {
    if (hasBody(exchange)) await receiveBody(parts, exchange, session);
    await commitUpload(parts, exchange, { session, digest });
  });
}

/** GET of an upload: how far it is. Source: end-13. */
export async function uploadStatus(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, id }: UploadTarget,
): Promise<void> {
  const { uploads } = requireWritable(parts);
  await uploads.use(repository, id, async (session) => {
    sendProgress(parts, exchange, { session, status: 204 });
  });
}

/** DELETE of an upload: it is given up and its bytes are removed. Source: end-14. */
export async function cancelUpload(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, id }: UploadTarget,
): Promise<void> {
  const { uploads } = requireWritable(parts);
  await uploads.use(repository, id, (session) => uploads.close(session));
  sendEmpty(exchange, 204);
}

/** True if the blob that `mount` names could be made visible here, and the answer is sent. */
async function mounted(
  parts: RegistryParts,
  exchange: Exchange,
  repository: string,
): Promise<boolean> {
  const text = exchange.query.get('mount');
  if (text === null) return false;
  const { storage } = requireWritable(parts);
  const digest = digestParameter(text);
  const from = exchange.query.get('from') ?? '';
  if (from !== '' && !isRepositoryName(from)) {
    throw refuse(400, 'NAME_INVALID', `from=${from} is not a repository name`, { name: from });
  }
  // Everybody who may push may read every repository here, so any holder will do.
  if (from !== '' && !(await storage.repositories.holdsBlob(from, digest))) return false;
  if (!(await isKeptAsNew(storage, digest, exchange.run))) return false;
  await storage.repositories.linkBlob(repository, digest);
  sendEmpty(exchange, 201, {
    location: parts.locate(`/v2/${repository}/blobs/${digest}`),
    'docker-content-digest': digest,
  });
  return true;
}

/**
 * True if the blob is there. Then it counts as put just now, since the client that is told so sends its
 * manifest last: until then only its age keeps garbage collection from it.
 */
async function isKeptAsNew(
  { content }: WritableStorage,
  digest: Digest,
  run: Run,
): Promise<boolean> {
  const size = await content.find(digest, run);
  if (size === undefined) return false;
  try {
    // What is there already is put without a byte being read.
    await content.put({ digest, size }, bytesOf(new Uint8Array()), run);
    return true;
  } catch (error) {
    // It has been removed in between.
    if (error instanceof BlobSizeMismatch) return false;
    throw error;
  }
}

function requireKnownAlgorithm(algorithm: string | null): void {
  if (algorithm === null || ['sha256', 'sha512'].includes(algorithm)) return;
  const message = `digest-algorithm=${algorithm}: this registry knows sha256 and sha512`;
  throw refuse(400, 'DIGEST_INVALID', message, { algorithm });
}
