import type { ByteStream } from '../../../content/ports.ts';
import type { Run } from '../../../shared/run.ts';
import { RegistryFailed, RegistryRateLimited, RegistryRefused } from '../errors.ts';
import type { ClientSettings } from '../settings.ts';
import { mayPass } from './connect-failure.ts';
import type { UploadHabits } from './upload-habits.ts';
import type { UploadSession } from './upload-session.ts';

/** What a chunked upload works with. */
export interface ChunkedUpload {
  readonly session: UploadSession;
  readonly habits: UploadHabits;
  readonly settings: Pick<ClientSettings, 'retry' | 'random' | 'sleep'>;
}

/**
 * Sends a blob piece by piece. A piece that fails is kept, the registry is asked how much of it arrived, and
 * only the rest is sent again. UPLOAD_LOST if the registry has less than was sent before this piece.
 */
export async function sendInChunks(
  upload: ChunkedUpload,
  bytes: ByteStream,
  run: Run,
): Promise<void> {
  const { session, habits } = upload;
  let at = 0;
  for await (const chunk of regrouped(bytes, () => pieceBytes(session, habits))) {
    await sendChunk(upload, { chunk, at }, run);
    at += chunk.length;
  }
}

interface Chunk {
  readonly chunk: Uint8Array;
  readonly at: number;
}

async function sendChunk(upload: ChunkedUpload, { chunk, at }: Chunk, run: Run): Promise<void> {
  const { session, habits } = upload;
  let sent = 0;
  let tries = 0;
  while (sent < chunk.length) {
    const piece = chunk.subarray(sent, sent + pieceBytes(session, habits));
    try {
      sent = within(await session.patch(piece, at + sent, run), { chunk, at }, session);
      tries = 0;
    } catch (error) {
      if (isTooLarge(error) && habits.onTooLarge(piece.length)) continue;
      tries += 1;
      if (run.signal.aborted || !isResumable(error) || tries >= upload.settings.retry.attempts) {
        throw error;
      }
      await pause(upload.settings, tries, run);
      sent = within(await session.offset(run), { chunk, at }, session);
    }
  }
}

/** The registry's offset as one in this chunk. */
function within(offset: number, { chunk, at }: Chunk, session: UploadSession): number {
  if (offset >= at && offset <= at + chunk.length) return offset - at;
  throw session.lost(`it has ${offset} bytes where ${at} were sent`);
}

function pieceBytes(session: UploadSession, habits: UploadHabits): number {
  return Math.max(habits.pieceBytes, session.minChunkBytes);
}

function pause(settings: ChunkedUpload['settings'], tries: number, run: Run): Promise<void> {
  const { firstDelayMs, maxDelayMs } = settings.retry;
  const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** (tries - 1));
  return settings.sleep(settings.random() * ceiling, run.signal);
}

/** True for 413: the same bytes in smaller requests may be taken. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof RegistryRefused && error.data.status === 413;
}

/** 416 says that the registry has another number of bytes than we think: asking it settles that. */
function isResumable(error: unknown): boolean {
  if (error instanceof RegistryRefused) return error.data.status === 416;
  return mayPass(error) || error instanceof RegistryFailed || error instanceof RegistryRateLimited;
}

/** The same bytes in chunks of the wanted size; only the last one is smaller. */
async function* regrouped(bytes: ByteStream, wanted: () => number): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  for await (const chunk of bytes) {
    gathered.push(chunk);
    gatheredBytes += chunk.length;
    const size = wanted();
    if (gatheredBytes < size) continue;
    const all = Buffer.concat(gathered);
    const whole = all.length - (all.length % size);
    for (let at = 0; at < whole; at += size) yield all.subarray(at, at + size);
    gathered = whole < all.length ? [all.subarray(whole)] : [];
    gatheredBytes = all.length - whole;
  }
  if (gatheredBytes > 0) yield Buffer.concat(gathered);
}
