import { BlobDigestMismatch, DiskFull } from '../../../content/errors.ts';
import type { Digest } from '../../../oci/digest.ts';
import { parseContentRange } from '../byte-range.ts';
import { bodyOf, contentLengthOf, type Exchange, sendEmpty } from '../exchange.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RegistryParts } from '../registry-parts.ts';
import type { UploadSession } from '../upload-sessions.ts';
import { requireWritable } from '../writable.ts';
import { progressHeaders } from './upload-progress.ts';

/**
 * Adds the request's body to an upload. What arrived before a connection broke is kept, so that the
 * client can ask how far it came and go on. Refusals: 416 for a chunk that does not begin where the
 * upload stands, SIZE_INVALID for one of another length than it says, 507 when the disk is full.
 */
export async function receiveBody(
  parts: RegistryParts,
  exchange: Exchange,
  session: UploadSession,
): Promise<void> {
  const before = session.ingest.size;
  const expected = chunkLength(parts, exchange, session);
  try {
    await parts.transfers.receive(bodyOf(exchange), (body) =>
      session.ingest.append(body, exchange.run),
    );
  } catch (error) {
    // The bytes would only be in the way of those who free the disk.
    if (error instanceof DiskFull) await requireWritable(parts).uploads.close(session);
    throw error;
  }
  const got = session.ingest.size - before;
  if (expected === undefined || expected === got) return;
  throw refuse(400, 'SIZE_INVALID', `the chunk has ${got} bytes, ${expected} were announced`);
}

/** The length that Content-Range announces, or undefined without one. */
function chunkLength(
  parts: RegistryParts,
  exchange: Exchange,
  session: UploadSession,
): number | undefined {
  const header = exchange.request.headers['content-range'];
  if (header === undefined) return undefined;
  const range = parseContentRange(header);
  if (range === undefined) {
    throw refuse(400, 'BLOB_UPLOAD_INVALID', `Content-Range: ${header} is not FIRST-LAST`);
  }
  if (range.first !== session.ingest.size) throw outOfOrder(parts, session, header);
  const length = range.last - range.first + 1;
  const sent = contentLengthOf(exchange);
  if (sent === undefined || sent === length) return length;
  throw refuse(400, 'SIZE_INVALID', `Content-Range names ${length} bytes, Content-Length ${sent}`);
}

function outOfOrder(parts: RegistryParts, session: UploadSession, header: string): Refusal {
  const message = `the chunk ${header} does not begin at byte ${session.ingest.size}`;
  const headers = progressHeaders(parts, session);
  return new Refusal(416, [{ code: 'BLOB_UPLOAD_INVALID', message }], headers);
}

/**
 * Ends an upload: the blob becomes visible in the repository. Bytes with another digest than named
 * are removed at once and refused with DIGEST_INVALID.
 *
 * The link comes after the bytes, and no failure takes a link away: it may be another client's who
 * was told that its blob is taken. Killed in between, the bytes belong to nobody; the client was not
 * answered and sends them again, or garbage collection removes them.
 */
export async function commitUpload(
  parts: RegistryParts,
  exchange: Exchange,
  { session, digest }: { readonly session: UploadSession; readonly digest: Digest },
): Promise<void> {
  const { storage, uploads } = requireWritable(parts);
  const { repository, ingest } = session;
  try {
    await ingest.commit(digest, exchange.run);
  } catch (error) {
    if (!(error instanceof BlobDigestMismatch)) throw error;
    const detail = { want: digest, got: error.data.got, size: ingest.size };
    throw refuse(400, 'DIGEST_INVALID', `the bytes have the digest ${error.data.got}`, detail);
  } finally {
    await uploads.close(session);
  }
  await storage.repositories.linkBlob(repository, digest);
  sendEmpty(exchange, 201, {
    location: parts.locate(`/v2/${repository}/blobs/${digest}`),
    'docker-content-digest': digest,
  });
}
