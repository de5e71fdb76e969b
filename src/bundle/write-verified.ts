import { type AppendableFile, appendStream } from '../content/append-bytes.ts';
import { stoppable } from '../content/byte-streams.ts';
import type { ByteStream } from '../content/ports.ts';
import { verifying } from '../content/verifying.ts';
import { WriteBack } from '../content/write-back.ts';
import type { Run } from '../shared/run.ts';
import type { BundledFile } from './bundle-manifest.ts';

/** A place in an open file. */
export interface WritePlace {
  readonly file: AppendableFile;
  /** Brings to the disk what was written so far. */
  flush(): Promise<void>;
}

/** Writes a stream to a place in an open file, and checks it on the way; syncing is left to the caller. */
export async function writeVerified(
  { file, flush }: WritePlace,
  blob: BundledFile,
  bytes: ByteStream,
  run: Run,
): Promise<void> {
  const writeBack = new WriteBack(flush);
  const verified = verifying(blob, { side: 'source', label: blob.path });
  try {
    await appendStream(file, verified(stoppable(bytes, run.signal)), (byteCount) =>
      writeBack.wrote(byteCount),
    );
  } finally {
    await writeBack.settled();
  }
}
