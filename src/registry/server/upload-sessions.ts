import { randomUUID } from 'node:crypto';
import type { BlobIngest, BlobIngester } from '../../content/ports.ts';
import type { Clock } from '../../shared/ports.ts';
import type { Run } from '../../shared/run.ts';
import { refuse, tooMany } from './refusal.ts';

/** An upload under way. */
export interface UploadSession {
  readonly id: string;
  readonly repository: string;
  readonly ingest: BlobIngest;
}

interface Tracked extends UploadSession {
  touchedMs: number;
  isBusy: boolean;
}

/** Limits of {@link UploadSessions}. */
export interface UploadLimits {
  /** Uploads that may be open at the same time, also idle ones. */
  readonly maxOpenUploads: number;
  /** A session that nobody touched for so long is given up. */
  readonly uploadIdleMs: number;
}

/**
 * The uploads under way, in this process: a restart forgets them, and the store removes their
 * files. One request at a time works on a session; a session ends by `close`, or by `expire`.
 *
 * A new one is always let in while there are others that nobody works on: the one that was left alone
 * for longest makes room, one without bytes before one that would have to be sent again. So uploads
 * that were opened and forgotten, be it by the thousand, keep nobody out.
 */
export class UploadSessions {
  readonly #ingester: BlobIngester;
  readonly #limits: UploadLimits;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Tracked>();
  #opening = 0;

  constructor(ingester: BlobIngester, limits: UploadLimits, clock: Clock) {
    this.#ingester = ingester;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Sessions that are open now. */
  get openCount(): number {
    return this.#sessions.size;
  }

  /** Starts a session for `repository`; throws a refusal with TOOMANYREQUESTS if all are worked on. */
  async open(repository: string, run: Run): Promise<UploadSession> {
    await this.#makeRoom();
    this.#opening += 1;
    try {
      const ingest = await this.#ingester.begin(run);
      const touchedMs = this.#clock.monotonic();
      const session = { id: randomUUID(), repository, ingest, touchedMs, isBusy: false };
      this.#sessions.set(session.id, session);
      return session;
    } finally {
      this.#opening -= 1;
    }
  }

  /**
   * Works on a session alone. Throws a refusal with BLOB_UPLOAD_UNKNOWN if this repository has no
   * such session, with TOOMANYREQUESTS while another request works on it.
   */
  async use<T>(
    repository: string,
    id: string,
    work: (session: UploadSession) => Promise<T>,
  ): Promise<T> {
    const session = this.#sessions.get(id);
    if (session === undefined || session.repository !== repository) {
      throw refuse(404, 'BLOB_UPLOAD_UNKNOWN', `repository ${repository} has no upload ${id}`);
    }
    if (session.isBusy) throw tooMany(`another request is working on upload ${id}`, 1);
    session.isBusy = true;
    try {
      return await work(session);
    } finally {
      session.isBusy = false;
      session.touchedMs = this.#clock.monotonic();
      // The map's order is that of the last touch: the first is the one left alone for longest.
      if (this.#sessions.delete(id)) this.#sessions.set(id, session);
    }
  }

  /** Ends a session; what was not committed is removed. */
  async close({ id, ingest }: UploadSession): Promise<void> {
    this.#sessions.delete(id);
    await ingest[Symbol.asyncDispose]();
  }

  /** Gives up the sessions that were idle for too long; says how many. */
  async expire(): Promise<number> {
    const before = this.#clock.monotonic() - this.#limits.uploadIdleMs;
    const idle = [...this.#sessions.values()].filter(
      (session) => !session.isBusy && session.touchedMs <= before,
    );
    for (const session of idle) await this.close(session);
    return idle.length;
  }

  /** Gives up every session. */
  async closeAll(): Promise<void> {
    for (const session of [...this.#sessions.values()]) await this.close(session);
  }

  async #makeRoom(): Promise<void> {
    const isFull = () => this.#sessions.size + this.#opening >= this.#limits.maxOpenUploads;
    if (isFull()) await this.expire();
    while (isFull()) {
      const given = this.#mostDispensable();
      if (given === undefined) throw tooMany(`${this.#sessions.size} uploads are under way`, 10);
      await this.close(given);
    }
  }

  #mostDispensable(): UploadSession | undefined {
    let oldest: UploadSession | undefined;
    for (const session of this.#sessions.values()) {
      if (session.isBusy) continue;
      if (session.ingest.size === 0) return session;
      oldest ??= session;
    }
    return oldest;
  }
}
