import { type Digest, isDigest } from './digest.ts';
import {
  ImageConfigInvalid,
  ManifestInvalid,
  ManifestSchema1Unsupported,
  ManifestTooLarge,
} from './errors.ts';

/** Content of a repository for messages: `quay.io/a/b:1 (source)`, `h.example/a@sha256:… (target)`. */
export function contentPlace(
  label: string,
  reference: Digest | string,
  side: 'source' | 'target',
): string {
  return `${label}${isDigest(reference) ? '@' : ':'}${reference} (${side})`;
}

/**
 * Parses by `parse`, which sees only bytes, and makes its errors name the place of the content:
 * `inPlace('quay.io/a/b:1 (source)', () => parseManifest(bytes))`. An error that names one stays.
 */
export function inPlace<T>(where: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw placed(error, where);
  }
}

function placed(error: unknown, where: string): unknown {
  if (!(error instanceof Error)) return error;
  const { cause } = error;
  if (error instanceof ManifestInvalid && error.data.where === undefined) {
    return new ManifestInvalid({ ...error.data, where }, { cause });
  }
  if (error instanceof ManifestTooLarge && error.data.where === undefined) {
    return new ManifestTooLarge({ ...error.data, where }, { cause });
  }
  if (error instanceof ManifestSchema1Unsupported && error.data.where === undefined) {
    return new ManifestSchema1Unsupported({ ...error.data, where }, { cause });
  }
  if (error instanceof ImageConfigInvalid && error.data.where === undefined) {
    return new ImageConfigInvalid({ ...error.data, where }, { cause });
  }
  return error;
}
