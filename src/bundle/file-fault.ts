import { BlobDigestMismatch, BlobSizeMismatch } from '../content/errors.ts';
import type { LockedFile } from '../release/lock.ts';
import { BundleFileOther } from './errors.ts';

/**
 * What to throw for a plain file that failed. Its digest comes from the Release, not from its server: where
 * they differ nobody can "push it again", so the place in the Release is named (BUNDLE_FILE_OTHER).
 */
export function fileFault(file: LockedFile, error: unknown): unknown {
  const why = whyOther(error);
  if (why === undefined) return error;
  const [reason] = file.reasons;
  const place = reason === undefined ? 'files' : `${reason.file}:${reason.line}:${reason.column}`;
  return new BundleFileOther({ name: file.name, url: file.url, place, why }, { cause: error });
}

function whyOther(error: unknown): string | undefined {
  if (error instanceof BlobDigestMismatch) {
    return `the Release gives ${error.data.want}, what came is ${error.data.got}`;
  }
  // Sizes are asked for when the Lock is made, so the file has changed since; a broken connection says so itself.
  if (error instanceof BlobSizeMismatch && error.data.gotBytes > error.data.wantBytes) {
    return `it had ${error.data.wantBytes} bytes when the Lock was made and has more now`;
  }
  return undefined;
}
