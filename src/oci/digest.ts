import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';

/**
 * A content digest, `algorithm:hex`, in one of the two registered algorithms: sha256 with 64 and
 * sha512 with 128 lower-case hex digits.
 * Source: https://github.com/opencontainers/image-spec/blob/main/descriptor.md#digests
 */
export const Digest = z
  .string()
  .regex(/^(sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})$/, 'is not a sha256 or sha512 digest')
  .transform((text) => text as Digest); // the regular expression has just proved the shape
export type Digest = `${DigestAlgorithm}:${string}`;

/** The algorithms that Slipway can compute. */
export type DigestAlgorithm = 'sha256' | 'sha512';

/** True when `text` is a digest as {@link Digest} defines it. */
export function isDigest(text: string): text is Digest {
  return Digest.safeParse(text).success;
}

/** `sha256:ab…` → `{ algorithm: 'sha256', hex: 'ab…' }`. */
export function splitDigest(digest: Digest): { algorithm: DigestAlgorithm; hex: string } {
  const colon = digest.indexOf(':');
  // A Digest has exactly one colon behind a known algorithm.
  return { algorithm: digest.slice(0, colon) as DigestAlgorithm, hex: digest.slice(colon + 1) };
}

/** The digest of bytes at hand; for streams use {@link digester}. */
export function digestOf(
  bytes: Uint8Array | string,
  algorithm: DigestAlgorithm = 'sha256',
): Digest {
  return finish(createHash(algorithm).update(bytes), algorithm);
}

/** Computes a digest piece by piece: `const d = digester(); d.update(chunk); d.digest()`. */
export function digester(algorithm: DigestAlgorithm = 'sha256'): {
  update(chunk: Uint8Array): void;
  digest(): Digest;
} {
  const hash = createHash(algorithm);
  return {
    update: (chunk) => void hash.update(chunk),
    digest: () => finish(hash, algorithm),
  };
}

function finish(hash: Hash, algorithm: DigestAlgorithm): Digest {
  return `${algorithm}:${hash.digest('hex')}`;
}
