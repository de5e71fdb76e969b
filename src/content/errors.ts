import type { Digest } from '../oci/digest.ts';
import { defineError } from '../shared/errors.ts';
import type { Side } from './ports.ts';

/** A blob that is not there. */
export const BlobNotFound = defineError<{ side: Side; label: string; digest: Digest }>({
  code: 'BLOB_NOT_FOUND',
  category: 'remote',
  message: (d) => `${d.label} (${d.side}) has no blob ${d.digest}`,
  fix: (d) =>
    d.side === 'source'
      ? 'The image there is incomplete. Push it again, or take it from another source.'
      : 'Load the image again: slipway load sends what is missing.',
  retry: false,
});

/** A manifest or tag that is not there. */
export const ManifestNotFound = defineError<{ side: Side; label: string; reference: string }>({
  code: 'MANIFEST_NOT_FOUND',
  category: 'remote',
  message: (d) => `${d.label} (${d.side}) has no image ${d.reference}`,
  fix: () => 'Check the spelling of name and tag; a tag may also have been removed since the plan.',
  retry: false,
});

/** More or fewer bytes than the descriptor names. */
export const BlobSizeMismatch = defineError<{
  side: Side;
  label: string;
  digest: Digest;
  wantBytes: number;
  /** Exact if the stream ended early; a lower bound if it was cut off for being too long. */
  gotBytes: number;
}>({
  code: 'BLOB_SIZE_MISMATCH',
  category: 'remote',
  message: (d) =>
    d.gotBytes > d.wantBytes
      ? `${d.label} (${d.side}) sent more than the ${d.wantBytes} bytes of ${d.digest}`
      : `${d.label} (${d.side}) ended after ${d.gotBytes} of the ${d.wantBytes} bytes of ${d.digest}`,
  fix: () =>
    'Try again. If it stays, the connection is cut by a proxy, or the blob is damaged there: push the image again.',
  retry: true,
});

/** The right number of bytes, but others than the digest names. */
export const BlobDigestMismatch = defineError<{
  side: Side;
  label: string;
  want: Digest;
  got: Digest;
}>({
  code: 'BLOB_DIGEST_MISMATCH',
  category: 'remote',
  message: (d) => `${d.label} (${d.side}) sent ${d.got} where ${d.want} was asked for`,
  fix: () => 'The blob is damaged there. Push the image again, or take it from another source.',
  retry: false,
});

/** The file system cannot take a blob. */
export const DiskFull = defineError<{ path: string; sizeBytes: number }>({
  code: 'DISK_FULL',
  category: 'local',
  message: (d) => `no room for ${d.sizeBytes} more bytes on the file system of ${d.path}`,
  fix: (d) =>
    `Free some space (df -h ${d.path}) and run the same command again: what is complete is kept.`,
  retry: false,
});

/** Another process writes into the same store. */
export const StoreLocked = defineError<{
  path: string;
  lockFile: string;
  pid: number;
  host: string;
  /** False if the holder runs on another machine or in another container, where we cannot see it. */
  isVisible: boolean;
}>({
  code: 'STORE_LOCKED',
  category: 'local',
  message: (d) => `process ${d.pid} on ${d.host} is writing into ${d.path}`,
  fix: (d) =>
    d.isVisible
      ? `Wait until process ${d.pid} has ended, or end it; the lock of an ended process is taken over.`
      : `Look on ${d.host} whether process ${d.pid} still runs. If it does not: rm ${d.lockFile}`,
  retry: true,
});

/** What has the name of a lock is no file: slipway would wait on a pipe, or read where a link leads. */
export const LockFileForeign = defineError<{ path: string; lockFile: string }>({
  code: 'LOCK_FILE_FOREIGN',
  category: 'local',
  message: (d) => `${d.path} cannot be locked: ${d.lockFile} is no file of slipway`,
  fix: (d) => `See what it is (ls -ld ${d.lockFile}) and move it away.`,
  retry: false,
});

/** A write through a store that was opened for reading. */
export const StoreReadOnly = defineError<{ path: string }>({
  code: 'STORE_READ_ONLY',
  category: 'internal',
  message: (d) => `${d.path} was opened for reading only`,
  fix: () => 'This is a fault of Slipway: please report it with the command that you ran.',
  retry: false,
});

/** Text that is used as the name of a blob and is no digest: it could be a path. */
export const BlobNameInvalid = defineError<{ name: string }>({
  code: 'BLOB_NAME_INVALID',
  category: 'input',
  message: (d) => `${JSON.stringify(d.name)} names no blob: it is not a sha256 or sha512 digest`,
  fix: () => 'Use the form sha256:… with 64 lower-case hex digits, or sha512:… with 128.',
  retry: false,
});

/** A folder that is no OCI image layout, or one that cannot be understood. */
export const LayoutInvalid = defineError<{ path: string; reason: string }>({
  code: 'LAYOUT_INVALID',
  category: 'input',
  message: (d) => `${d.path} is not a usable OCI image layout: ${d.reason}`,
  fix: () =>
    'Give the folder that holds oci-layout, index.json and blobs; to make a new one, a folder that is empty or does not exist.',
  retry: false,
});

/** Garbage collection does not know what a kept image needs, so it removes nothing. */
export const GarbageUnsure = defineError<{ digest: Digest; reason: string }>({
  code: 'GARBAGE_UNSURE',
  category: 'local',
  message: (d) => `nothing was removed: the manifest ${d.digest} cannot be read: ${d.reason}`,
  fix: () =>
    'Load the image again, or remove its tag, then collect again. Removing anything now could break an image in use.',
  retry: false,
});
