import type { Digest } from '../../../oci/digest.ts';
import { parseRange, type RangeAnswer } from '../byte-range.ts';
import { type Exchange, sendEmpty, sendErrors, sendHead, streamBody } from '../exchange.ts';
import { blobUnknown } from '../refusal.ts';
import type { RegistryParts } from '../registry-parts.ts';

/** What the blob endpoints are asked about. */
export interface BlobTarget {
  readonly repository: string;
  readonly digest: Digest;
}

/** GET and HEAD `/v2/NAME/blobs/DIGEST`, with Range. Source: distribution-spec, "Pulling blobs". */
export async function pullBlob(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, digest }: BlobTarget,
): Promise<void> {
  const isHere = await parts.repositories.holdsBlob(repository, digest);
  const size = isHere ? await parts.content.find(digest, exchange.run) : undefined;
  if (size === undefined) throw blobUnknown(repository, digest);
  const headers = {
    'docker-content-digest': digest,
    etag: `"${digest}"`,
    'accept-ranges': 'bytes',
    'cache-control': 'max-age=31536000, immutable',
  };
  if (exchange.request.headers['if-none-match'] === `"${digest}"`) {
    return sendEmpty(exchange, 304, headers);
  }
  const range = rangeOf(exchange, digest, size);
  if (range.kind === 'unsatisfiable') return sendUnsatisfiable(exchange, size);
  const part = range.kind === 'part' ? range : undefined;
  const [first, count] = part === undefined ? [0, size] : [part.first, part.last - part.first + 1];
  const head = () =>
    sendHead(exchange, part === undefined ? 200 : 206, {
      'content-type': 'application/octet-stream',
      'content-length': count,
      ...headers,
      ...(part && { 'content-range': `bytes ${first}-${part.last}/${size}` }),
    });
  if (exchange.request.method === 'HEAD') {
    head();
    return void exchange.response.end();
  }
  await parts.pullRoom.hold(async (chunkBytes) => {
    const source = await parts.content.open({ digest, size }, exchange.run, first, { chunkBytes });
    head();
    await streamBody(exchange, source, count);
  });
}

/** HTTP knows Range for GET only; with If-Range it counts only if the content is still the same. */
function rangeOf({ request }: Exchange, digest: Digest, size: number): RangeAnswer {
  const condition = request.headers['if-range'];
  const applies = condition === undefined || condition === `"${digest}"`;
  return request.method === 'GET' && applies
    ? parseRange(request.headers.range, size)
    : { kind: 'whole' };
}

function sendUnsatisfiable(exchange: Exchange, size: number): void {
  const message = `the blob has ${size} bytes, none of them in ${exchange.request.headers.range}`;
  sendErrors(exchange, 416, [{ code: 'SIZE_INVALID', message }], {
    'content-range': `bytes */${size}`,
  });
}
