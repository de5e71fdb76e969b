import { collectBytes, discardBytes } from '../../../content/byte-streams.ts';
import type { ByteStream } from '../../../content/ports.ts';
import { verifying } from '../../../content/verifying.ts';
import type { BlobRef } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import { SingleFlight } from '../../../shared/bounded.ts';
import { SlipwayError } from '../../../shared/errors.ts';
import type { Run } from '../../../shared/run.ts';
import {
  RegistryConnectionLost,
  RegistryDenied,
  RegistryRefused,
  RegistryTimeout,
  RegistryUnauthorized,
  RepositoryNotFound,
} from '../errors.ts';
import type { PutOptions } from '../repository.ts';
import type { BlobReader } from './blob-reader.ts';
import { isTooLarge, sendInChunks } from './chunked-upload.ts';
import { ReplayableSource } from './replayable-source.ts';
import type { RepositoryApi } from './repository-api.ts';
import type { UploadHabits } from './upload-habits.ts';
import { UploadSession } from './upload-session.ts';

/** Blobs up to this size go out in one write. */
const smallBytes = 64 * 1024;

/** Uploads the blobs of one repository, or has the registry mount them. */
export class BlobWriter {
  readonly #api: RepositoryApi;
  readonly #reader: BlobReader;
  readonly #habits: UploadHabits;
  readonly #flights = new SingleFlight<void>();
  /** Sessions that the registry opened instead of mounting. */
  readonly #offered = new Map<Digest, UploadSession>();

  constructor(api: RepositoryApi, reader: BlobReader, habits: UploadHabits) {
    this.#api = api;
    this.#reader = reader;
    this.#habits = habits;
  }

  /** See `Repository.put`. Whoever comes second waits for the first, and takes over if the first fails. */
  async put(blob: BlobRef, bytes: ByteStream, run: Run, options: PutOptions = {}): Promise<void> {
    for (;;) {
      let isMine = false;
      const flight = this.#flights.run(blob.digest, () => {
        isMine = true;
        return this.#putOnce(blob, bytes, run, options);
      });
      try {
        await flight;
        if (!isMine) await discardBytes(bytes);
        return;
      } catch (error) {
        if (isMine) throw error;
        run.signal.throwIfAborted();
      }
    }
  }

  /** See `Repository.mount`. */
  async mount(blob: BlobRef, from: string | undefined, run: Run): Promise<boolean> {
    const mountFrom = from === undefined ? '' : this.#pathOf(from);
    if (mountFrom === undefined) return false;
    try {
      const request = { digest: blob.digest, from: mountFrom };
      const session = await UploadSession.mount(this.#api, request, run);
      if (session === undefined) return true;
      await this.#offered.get(blob.digest)?.cancel(run);
      this.#offered.set(blob.digest, session);
      return false;
    } catch (error) {
      // The upload that follows fails for the same reason if it is not about the other repository.
      if (isRefusal(error)) return false;
      throw error;
    }
  }

  /** Deleting what is not there succeeds. */
  async delete(digest: Digest, run: Run): Promise<void> {
    const purpose = `deleting blob ${digest} in ${this.#api.label}`;
    const request = this.#api.ask('DELETE', this.#api.url(`blobs/${digest}`), 'delete', purpose);
    const response = await this.#api.transport.request(request, run);
    if (response.status >= 300 && response.status !== 404) {
      throw await this.#api.failure(request, response, run);
    }
    await response.discard();
  }

  /** Gives back sessions that nobody used. */
  async cancelOffered(run: Run): Promise<void> {
    const sessions = [...this.#offered.values()];
    this.#offered.clear();
    await Promise.all(sessions.map((session) => session.cancel(run)));
  }

  /** A label of this registry as path: `quay.io/a/b` → `a/b`. */
  #pathOf(label: string): string | undefined {
    const prefix = `${this.#api.endpoint.name}/`;
    return label.startsWith(prefix) ? label.slice(prefix.length) : undefined;
  }

  async #putOnce(blob: BlobRef, bytes: ByteStream, run: Run, options: PutOptions): Promise<void> {
    const isAsked = options.isMissing === true || this.#offered.has(blob.digest);
    if (!isAsked && (await this.#reader.find(blob.digest, run)) !== undefined) {
      await discardBytes(bytes);
      return;
    }
    const { label, endpoint } = this.#api;
    const source = new ReplayableSource(bytes, {
      // The sender is the one who gave us the stream, so the message names the place it was meant for.
      verify: verifying(blob, { side: endpoint.side ?? 'target', label }),
      windowBytes: this.#api.transport.settings.limits.chunkBytes,
    });
    try {
      await this.#upload(blob, source, run);
    } finally {
      await source.close();
    }
  }

  async #upload(blob: BlobRef, source: ReplayableSource, run: Run): Promise<void> {
    const { retry, random, sleep } = this.#api.transport.settings;
    for (let attempt = 1; ; attempt += 1) {
      const session = await this.#session(blob, run);
      try {
        await this.#send(blob, source, session, run);
        return;
      } catch (error) {
        await session.cancel(run);
        run.signal.throwIfAborted();
        const isBetterNow = this.#learn(error, blob, attempt);
        if (attempt >= retry.attempts || !isBetterNow) throw error;
        if (!source.canReplay) throw this.#tooLate(error, session);
      }
      await sleep(random() * retry.firstDelayMs * attempt, run.signal);
    }
  }

  async #session({ digest }: BlobRef, run: Run): Promise<UploadSession> {
    const offered = this.#offered.get(digest);
    this.#offered.delete(digest);
    return offered ?? UploadSession.begin(this.#api, digest, run);
  }

  async #send(
    blob: BlobRef,
    source: ReplayableSource,
    session: UploadSession,
    run: Run,
  ): Promise<void> {
    const habits = this.#habits;
    if (blob.size <= smallBytes) {
      return session.putWhole(await collectBytes(source.replay()), run);
    }
    if (habits.sendsWhole(blob.size)) {
      return session.putWhole({ stream: source.replay(), sizeBytes: blob.size }, run);
    }
    const { settings } = this.#api.transport;
    await sendInChunks({ session, habits, settings }, source.replay(), run);
    if (await session.complete(run)) return;
    // The answer to an earlier closing may have been lost on its way.
    if ((await this.#reader.find(blob.digest, run)) === undefined) {
      throw session.lost('it does not know the session when it is to be closed');
    }
  }

  /** Takes a failure to heart; true if another try may succeed. */
  #learn(error: unknown, blob: BlobRef, attempt: number): boolean {
    if (isTooLarge(error)) return this.#habits.onTooLarge(blob.size);
    if (error instanceof RegistryConnectionLost || error instanceof RegistryTimeout) {
      this.#habits.onBroken();
    }
    // A token ran out on the way; the transport has a new one by now.
    if (error instanceof RegistryUnauthorized) return attempt === 1 && blob.size > smallBytes;
    return error instanceof SlipwayError && error.retry;
  }

  /** Too much has been read to begin again here; who called can, with a fresh source. */
  #tooLate(error: unknown, session: UploadSession): Error {
    if (error instanceof SlipwayError && error.retry) return error;
    return session.lost('it takes no body of this size; the next try goes in chunks');
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof RegistryRefused ||
    error instanceof RegistryDenied ||
    error instanceof RegistryUnauthorized ||
    error instanceof RepositoryNotFound
  );
}
