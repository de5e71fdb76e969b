/** One push of a blob, well behaved or not: right or wrong bytes, whole or in pieces, or broken off. */
import { connect } from 'node:net';
import { type Digest, digestOf } from '../../src/oci/digest.ts';
import { sendRequest } from './send-request.ts';

/** What a client does: the last two never finish. */
export type PushWay =
  | 'whole'
  | 'pieces'
  | 'wrong whole'
  | 'wrong pieces'
  | 'broken off'
  | 'given up';

/** All ways, for whoever picks one. */
export const pushWays: readonly PushWay[] = [
  'whole',
  'pieces',
  'wrong whole',
  'wrong pieces',
  'broken off',
  'given up',
];

/** What is pushed, where to, and how; `bytes` are the right ones, at least 2000. */
export interface RoughPush {
  readonly url: string;
  readonly repository: string;
  readonly way: PushWay;
  readonly bytes: Buffer;
}

/** True if the registry said 201, that is, that it has taken the blob; rejects when it is gone. */
export async function pushRoughly(push: RoughPush): Promise<boolean> {
  const digest = digestOf(push.bytes);
  const wrong = Buffer.alloc(push.bytes.length, 'wrong');
  switch (push.way) {
    case 'whole':
      return pushWhole(push, digest, push.bytes);
    case 'wrong whole':
      return pushWhole(push, digest, wrong);
    case 'pieces':
      return pushPieces(push, digest, push.bytes);
    case 'wrong pieces':
      return pushPieces(push, digest, wrong);
    case 'broken off':
      return breakOff(push, digest);
    case 'given up':
      return giveUp(push);
  }
}

async function pushWhole({ url, repository }: RoughPush, digest: Digest, body: Buffer) {
  const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
  return wasTaken((await sendRequest(url, { method: 'POST', path, body })).status);
}

async function pushPieces(push: RoughPush, digest: Digest, body: Buffer) {
  const at = await openUpload(push);
  await sendRequest(push.url, { method: 'PATCH', path: at, body: body.subarray(0, 1000) });
  const path = `${at}?digest=${digest}`;
  const rest = body.subarray(1000);
  return wasTaken((await sendRequest(push.url, { method: 'PUT', path, body: rest })).status);
}

function wasTaken(status: number): boolean {
  if (status === 201) return true;
  if (status === 400) return false;
  throw new Error(`a push was answered with ${status}`);
}

async function breakOff({ url, repository, bytes }: RoughPush, digest: Digest): Promise<false> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on('error', reject);
  socket.write(`${head}half`, () => resolve());
  await promise;
  socket.destroy();
  return false;
}

async function giveUp(push: RoughPush): Promise<false> {
  const path = await openUpload(push);
  await sendRequest(push.url, { method: 'PATCH', path, body: 'some bytes' });
  await sendRequest(push.url, { method: 'DELETE', path });
  return false;
}

async function openUpload({ url, repository }: RoughPush): Promise<string> {
  const path = `/v2/${repository}/blobs/uploads/`;
  return String((await sendRequest(url, { method: 'POST', path })).headers.location);
}
