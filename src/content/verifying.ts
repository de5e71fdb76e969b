import type { BlobRef } from '../oci/descriptor.ts';
import { digester, splitDigest } from '../oci/digest.ts';
import { BlobDigestMismatch, BlobSizeMismatch } from './errors.ts';
import type { ByteStream, Side } from './ports.ts';

/** Who sent the bytes, for the message of a mismatch. */
export interface Origin {
  readonly side: Side;
  readonly label: string;
}

const unknownSender: Origin = { side: 'source', label: 'the sender' };

/**
 * A stream transform that lets exactly the bytes of `blob` pass:
 * `for await (const chunk of verifying(blob, origin)(body))`, or a stage of `stream.pipeline`.
 *
 * Stops at the first byte too many, before it is passed on; fails at the end when bytes are
 * missing (both BLOB_SIZE_MISMATCH) or others than named (BLOB_DIGEST_MISMATCH). A consumer must
 * not publish anything before the stream has ended without an error.
 */
export function verifying(
  blob: BlobRef,
  origin: Origin = unknownSender,
): (bytes: ByteStream) => AsyncGenerator<Uint8Array, void, undefined> {
  return async function* verified(bytes) {
    const hash = digester(splitDigest(blob.digest).algorithm);
    let gotBytes = 0;
    for await (const chunk of bytes) {
      gotBytes += chunk.length;
      if (gotBytes > blob.size) throw sizeMismatch(blob, origin, gotBytes);
      hash.update(chunk);
      yield chunk;
    }
    if (gotBytes !== blob.size) throw sizeMismatch(blob, origin, gotBytes);
    const got = hash.digest();
    if (got !== blob.digest) throw new BlobDigestMismatch({ ...origin, want: blob.digest, got });
  };
}

function sizeMismatch(blob: BlobRef, origin: Origin, gotBytes: number): Error {
  const { digest, size: wantBytes } = blob;
  return new BlobSizeMismatch({ ...origin, digest, wantBytes, gotBytes });
}
