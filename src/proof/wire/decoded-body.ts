/** Content-Encoding: some registries and proxies compress even manifests, and runtimes undo it. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createInflateRaw, createZstdDecompress } from 'node:zlib';
import type { ByteStream } from '../../content/ports.ts';
import type { ContentCoding } from '../../mirrors/pull-chain.ts';
import type { TransportResponse } from '../../registry/client/transport.ts';
import { systemCode } from '../../shared/errors.ts';

/** What Go's HTTP client undoes by itself. */
export const ownCodings: readonly ContentCoding[] = ['gzip'];

/** A body that is not what its encoding says, or is encoded in a way that was not asked for. */
export class UndecodableBody extends Error {}

const decoders = {
  gzip: createGunzip,
  zstd: createZstdDecompress,
  deflate: createInflateRaw,
} as const;

/** The content of a body. {@link UndecodableBody}; else fails as the body does. */
export async function* decodedBody(
  { headers, body }: TransportResponse,
  codings: readonly ContentCoding[],
): ByteStream {
  const written = (headers['content-encoding'] ?? '').toLowerCase().split(/[ \t,]+/);
  const applied = written.filter((name) => name !== '' && name !== 'identity');
  if (applied.length === 0) {
    yield* body;
    return;
  }
  let failure: Error | undefined;
  const watched = async function* () {
    try {
      yield* body;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    }
  };
  let stream: Readable = Readable.from(watched(), { objectMode: false });
  for (const name of applied.toReversed()) {
    const coding = codings.find((one) => one === name);
    if (coding === undefined) throw new UndecodableBody(`it is encoded as ${name}`);
    // The error reaches whoever reads the last stream.
    stream = pipeline(stream, decoders[coding](), () => {});
  }
  try {
    // No encoding of text is set, so these are Buffers.
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (failure !== undefined) throw failure;
    const isOurs = /^(Z_|ZSTD_)/.test(systemCode(error) ?? '');
    if (isOurs) throw new UndecodableBody('its encoding is broken', { cause: error });
    throw error;
  }
}
