import { addAbortSignal, type Readable } from 'node:stream';
import { InputFileUnusable } from '../shared/errors.ts';

/** Everything that comes by standard input, at most `maxBytes`. INPUT_FILE_UNUSABLE. */
export async function readStandardInput(
  stdin: Readable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  // Without an encoding the stream gives Buffers.
  for await (const piece of addAbortSignal(signal, stdin) as AsyncIterable<Buffer>) {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) {
      const because = `has more than ${maxBytes} bytes`;
      throw new InputFileUnusable({ path: 'standard input', because });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
