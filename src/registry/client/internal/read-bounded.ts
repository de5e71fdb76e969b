import type { TransportResponse } from '../transport.ts';

/** The body of an answer in memory; what `tooLarge` makes as soon as it is longer than `maxBytes`. */
export async function readBounded(
  response: Pick<TransportResponse, 'body'>,
  maxBytes: number,
  tooLarge: (gotBytes: number) => Error,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge(sizeBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** The first `maxBytes` of a body, for messages: what breaks or follows is left out. */
export async function readStart(
  response: Pick<TransportResponse, 'body'>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk.subarray(0, maxBytes - sizeBytes));
      sizeBytes += chunk.length;
      if (sizeBytes >= maxBytes) break;
    }
  } catch {
    // The status is the answer; its explanation is only good to have.
  }
  return Buffer.concat(chunks);
}
