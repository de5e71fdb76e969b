/** The one call of the CRI that the cases need, without a process for each. */

import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const longestPullMs = 120_000;

/**
 * `PullImage` of runtime.v1.ImageService over gRPC, without credentials of a pod.
 * → what the runtime says against it; empty when it pulled the image.
 * Source: https://github.com/kubernetes/cri-api/blob/master/pkg/apis/runtime/v1/api.proto
 */
export async function pullByCri(socket: string, image: string): Promise<string> {
  const session = connectHttp2('http://localhost', { createConnection: () => connect(socket) });
  const timer = new AbortController();
  try {
    return await Promise.race([
      askForPull(session, image),
      setTimeout(longestPullMs, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`${image} was not pulled within ${longestPullMs} ms`);
      }),
    ]);
  } finally {
    timer.abort();
    session.destroy();
  }
}

async function askForPull(
  session: ReturnType<typeof connectHttp2>,
  image: string,
): Promise<string> {
  const broken = once(session, 'error').then(([error]) => Promise.reject(error));
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: '/runtime.v1.ImageService/PullImage',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const seen: Record<string, unknown> = {};
  stream.on('response', (headers) => void Object.assign(seen, headers));
  stream.on('trailers', (headers) => void Object.assign(seen, headers));
  stream.end(grpcMessage(lengthDelimited(lengthDelimited(Buffer.from(image)))));
  stream.resume();
  await Promise.race([once(stream, 'close'), broken]);
  if (seen['grpc-status'] === '0') return '';
  return decodeURIComponent(`${seen['grpc-message'] ?? 'the call ended without a status'}`);
}

/** Field 1 of a message, as protobuf writes strings and messages. */
function lengthDelimited(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x0a, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** Uncompressed, with its length in four bytes. */
function grpcMessage(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
