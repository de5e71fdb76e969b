import { BlobNotFound, BlobSizeMismatch } from '../../../content/errors.ts';
import type { ByteStream } from '../../../content/ports.ts';
import type { BlobRef } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import type { Run } from '../../../shared/run.ts';
import { RegistryAnswerInvalid } from '../errors.ts';
import type { TransportResponse } from '../transport.ts';
import { mayPass } from './connect-failure.ts';
import { isWebPage } from './failure.ts';
import { isAbsent } from './manifest-reader.ts';
import type { RepositoryApi } from './repository-api.ts';
import { type OpenBody, resumableStream } from './resumable-stream.ts';

/** Finds and downloads the blobs of one repository. */
export class BlobReader {
  readonly #api: RepositoryApi;

  constructor(api: RepositoryApi) {
    this.#api = api;
  }

  /** By HEAD, or by the headers of GET where HEAD is not allowed or does not name the size. */
  async find(digest: Digest, run: Run): Promise<number | undefined> {
    const byHead = await this.#size('HEAD', digest, run);
    const size = byHead === undefined ? await this.#size('GET', digest, run) : byHead;
    return size ?? undefined;
  }

  /** See `Repository.open`. */
  async open(blob: BlobRef, run: Run, fromByte = 0): Promise<ByteStream> {
    const { settings } = this.#api.transport;
    // No range begins behind the last byte: a registry would refuse it as not satisfiable.
    if (fromByte > 0 && fromByte >= blob.size) return this.#nothingOf(blob, run);
    return resumableStream({
      blob,
      fromByte,
      first: await this.#download(blob, fromByte, run),
      again: (at) => this.#download(blob, at, run),
      mayResume: (error) => mayPass(error) && !run.signal.aborted,
      wait: (tries) =>
        settings.sleep(settings.random() * settings.retry.firstDelayMs * tries, run.signal),
      resumes: settings.limits.downloadResumes,
      mismatch: (gotBytes) => this.#mismatch(blob, gotBytes),
    });
  }

  async #nothingOf(blob: BlobRef, run: Run): Promise<ByteStream> {
    if ((await this.find(blob.digest, run)) === undefined) throw this.#notFound(blob);
    return (async function* () {})();
  }

  /** Null: there is no such blob. Undefined: this method does not tell. */
  async #size(
    method: 'HEAD' | 'GET',
    digest: Digest,
    run: Run,
  ): Promise<number | null | undefined> {
    const url = this.#api.url(`blobs/${digest}`);
    const request = this.#api.ask(
      method,
      url,
      'pull',
      `looking for blob ${digest} in ${this.#api.label}`,
    );
    const response = await this.#api.transport.request(request, run);
    if (isAbsent(response)) {
      await response.discard();
      return null;
    }
    if (method === 'HEAD' && (response.status === 405 || response.status === 404)) {
      await response.discard();
      return undefined;
    }
    if (response.status !== 200 || isWebPage(response.headers)) {
      throw await this.#api.failure(request, response, run);
    }
    await response.discard();
    const length = response.headers['content-length'];
    return length === undefined ? undefined : Number(length);
  }

  /** The body from `at` on, whether the registry heeds Range or not. */
  async #download(blob: BlobRef, at: number, run: Run): Promise<OpenBody> {
    const url = this.#api.url(`blobs/${blob.digest}`);
    const purpose = `reading blob ${blob.digest} of ${this.#api.label}`;
    const request = {
      ...this.#api.ask('GET', url, 'pull', purpose),
      ...(at === 0 ? {} : { headers: { range: `bytes=${at}-` } }),
    };
    const response = await this.#api.transport.request(request, run);
    const { status, headers } = response;
    if (status === 200 && !isWebPage(headers)) {
      await this.#refuseOtherSize(blob, response, Number(headers['content-length'] ?? blob.size));
      return { bytes: skip(response, at), discard: response.discard };
    }
    if (status === 206) {
      const range = parseContentRange(headers['content-range']);
      if (range === undefined || range.start > at) {
        await response.discard();
        const sent = this.#api.transport.secrets.redact(headers['content-range'] ?? '(none)');
        const reason = `it sent the range ${sent} where byte ${at} was asked for`;
        throw new RegistryAnswerInvalid({ ...this.#api.about(request), reason });
      }
      await this.#refuseOtherSize(blob, response, range.total ?? blob.size);
      return { bytes: skip(response, at - range.start), discard: response.discard };
    }
    if (isAbsent(response)) {
      await response.discard();
      throw this.#notFound(blob);
    }
    if (status === 416) {
      await response.discard();
      throw this.#mismatch(blob, at);
    }
    throw await this.#api.failure(request, response, run);
  }

  /** A wrong length is known before the first byte, so nothing needs to be moved to find it. */
  async #refuseOtherSize(blob: BlobRef, response: TransportResponse, size: number): Promise<void> {
    if (size === blob.size) return;
    await response.discard();
    throw this.#mismatch(blob, size);
  }

  #notFound({ digest }: BlobRef): Error {
    const { label, endpoint } = this.#api;
    return new BlobNotFound({ side: endpoint.side ?? 'source', label, digest });
  }

  #mismatch({ digest, size }: BlobRef, gotBytes: number): Error {
    const { label, endpoint } = this.#api;
    const side = endpoint.side ?? 'source';
    return new BlobSizeMismatch({ side, label, digest, wantBytes: size, gotBytes });
  }
}

/** `bytes 100-199/200` → where it starts and the whole size, if told. */
function parseContentRange(
  header: string | undefined,
): { start: number; total: number | undefined } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header ?? '');
  if (match === null) return undefined;
  return { start: Number(match[1]), total: match[2] === '*' ? undefined : Number(match[2]) };
}

async function* skip(response: TransportResponse, bytes: number): ByteStream {
  let left = bytes;
  for await (const chunk of response.body) {
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
