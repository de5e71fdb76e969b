/** A client that asks before it sends, so that what it sends shows what a registry has lost. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { digestOf } from '../../../src/oci/digest.ts';
import { type BuiltBlob, buildImage } from '../../../src/oci/image-builder.ts';
import { sendRequest } from '../../support/send-request.ts';

/** One blob, or a manifest with its tag. */
interface Content {
  readonly repository: string;
  readonly blob: BuiltBlob;
  readonly tag?: string;
}

const kib = 1024;

/** Ten images, each with a blob of its own, in the order in which they are pushed. */
export const contents: readonly Content[] = [1, 5, 10, 40, 90, 200, 600, 900, 2500, 4000].flatMap(
  (size, at) => {
    const image = buildImage({ layers: [Buffer.alloc(size * kib, digestOf(String(size)))] });
    const repository = `team/app-${at}`;
    return [
      ...image.blobs.map((blob) => ({ repository, blob })),
      { repository, blob: image, tag: 'v1' },
    ];
  },
);

/** What a push has done so far. */
export interface Pushing {
  /** Digests of blobs that were sent; manifests are not among them. */
  readonly sent: string[];
  /** When each transfer began, by `performance.now()`. */
  readonly begins: number[];
  isSending: boolean;
}

/** Sends what the registry says it lacks, each in `paceMs`; rejects when the registry is killed. */
export async function push(url: string, paceMs: number, pushing: Pushing): Promise<void> {
  for (const content of contents) {
    const { repository, blob, tag } = content;
    const found = await sendRequest(url, { method: 'HEAD', path: pathOf(content) });
    if (found.status === 200) continue;
    const { digest, mediaType } = blob.descriptor;
    if (tag === undefined) pushing.sent.push(digest);
    pushing.begins.push(performance.now());
    pushing.isSending = true;
    const body = paceMs > 0 ? Readable.from(dribbled(blob.bytes, paceMs)) : blob.bytes;
    const answer = await sendRequest(url, {
      ...(tag === undefined
        ? { method: 'POST', path: `/v2/${repository}/blobs/uploads/?digest=${digest}` }
        : { method: 'PUT', path: pathOf(content) }),
      headers: { 'content-type': tag === undefined ? 'application/octet-stream' : mediaType },
      body,
    });
    pushing.isSending = false;
    assert.equal(answer.status, 201, answer.text);
  }
}

/** Reads everything back. */
export async function assertHasEverything(url: string): Promise<void> {
  for (const content of contents) {
    const got = await sendRequest(url, { path: pathOf(content) });
    assert.ok(got.bytes.equals(content.blob.bytes), pathOf(content));
  }
}

function pathOf({ repository, blob, tag }: Content): string {
  const name = tag === undefined ? `blobs/${blob.descriptor.digest}` : `manifests/${tag}`;
  return `/v2/${repository}/${name}`;
}

async function* dribbled(bytes: Uint8Array, paceMs: number) {
  const pieces = 4;
  for (let at = 0; at < pieces; at += 1) {
    await wait(paceMs / pieces);
    yield bytes.subarray((bytes.length * at) / pieces, (bytes.length * (at + 1)) / pieces);
  }
}
