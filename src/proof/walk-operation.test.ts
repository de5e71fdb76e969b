import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryNode, type NodeVersion } from '../../test/support/memory-node.ts';
import type { OpenChain } from '../mirrors/pull-walk.ts';
import { digestOf } from '../oci/digest.ts';
import { MediaTypes } from '../oci/media-types.ts';
import { parseReference } from '../oci/reference.ts';
import type { Operation } from './operations.ts';
import { type Walked, walkOperation } from './walk-operation.ts';
import type { Answered, Reply, Unanswered } from './wire/exchange.ts';

const want = digestOf('pause');
const name = 'registry.k8s.io/pause:3.9';
const byTag: Operation = {
  kind: 'resolve',
  reference: parseReference(name),
  want,
  blob: { digest: want, size: 5, mediaType: MediaTypes.ociIndex },
  hasSize: true,
  what: 'target',
};
const byDigest: Operation = {
  ...byTag,
  reference: parseReference(`registry.k8s.io/pause@${want}`),
};
const layer: Operation = {
  kind: 'blob',
  blob: { digest: want, size: 5, mediaType: MediaTypes.ociLayer },
  what: 'layer',
};

const fine: Partial<Answered> = {
  ...{ status: 200, digest: want, sizeBytes: 5 },
  mediaType: MediaTypes.ociIndex,
};
/** One byte more than containerd takes. */
const tooLarge: Partial<Answered> = { ...fine, sizeBytes: 4 * 1048 * 1048 + 1 };
const gone: Unanswered = { kind: 'unanswered', how: 'no-connection', reason: 'nothing listens' };

/** Two mirrors, `one` and `two`; the second is the server. */
async function chainOf(version: NodeVersion = '2.1.1'): Promise<OpenChain> {
  const text = 'server = "https://two"\n[host."https://one"]\n';
  const node = await memoryNode({ version, hosts: { 'registry.k8s.io': text } });
  const chain = await node.pullChain(name);
  assert.equal(chain.kind, 'endpoints');
  if (chain.kind !== 'endpoints') throw new TypeError('refused');
  return chain;
}

/** Walks with these replies, in order; gives the requests and the end. */
function walk(
  operation: Operation,
  chain: OpenChain,
  replies: readonly (Partial<Answered> | Unanswered)[],
): { readonly sent: string[]; readonly end: Walked } {
  const sent: string[] = [];
  const walking = walkOperation(operation, chain);
  let step = walking.next();
  while (!step.done) {
    const { request, attempt } = step.value;
    sent.push(`${request.method} ${request.endpoint.host} #${attempt}`);
    const reply = replies[sent.length - 1];
    assert.ok(reply !== undefined, `no reply for ${sent.join(', ')}`);
    step = walking.next(replyOf(reply, request));
  }
  return { sent, end: step.value };
}

function replyOf(
  reply: Partial<Answered> | Unanswered,
  { method, url }: { readonly method: string; readonly url: string },
): Reply {
  const asked = { method, url, answer: 'as written' };
  if (reply.kind === 'unanswered') return { ...reply, asked };
  return { kind: 'answered', status: 200, isWebPage: false, isRead: false, ...reply, asked };
}

const table: ReadonlyArray<{
  readonly claim: string;
  readonly operation: Operation;
  readonly replies: readonly (Partial<Answered> | Unanswered)[];
  readonly sent: readonly string[];
  readonly end: Walked['kind'];
}> = [
  {
    claim: 'the first that has the tag is believed',
    operation: byTag,
    replies: [fine],
    sent: ['HEAD one #1'],
    end: 'served',
  },
  {
    claim: '404, no connection and 5xx lead on; the last endpoint is asked once more after 503',
    operation: byTag,
    replies: [{ status: 404 }, { status: 503 }, fine],
    sent: ['HEAD one #1', 'HEAD two #1', 'HEAD two #2'],
    end: 'served',
  },
  {
    claim: 'a dead mirror leads on',
    operation: byTag,
    replies: [gone, fine],
    sent: ['HEAD one #1', 'HEAD two #1'],
    end: 'served',
  },
  {
    claim: '405 to HEAD is followed by GET at the same endpoint',
    operation: byTag,
    replies: [{ status: 405 }, { ...fine, isRead: true }],
    sent: ['HEAD one #1', 'GET one #1'],
    end: 'served',
  },
  {
    claim: 'a HEAD without a digest is followed by GET',
    operation: byTag,
    replies: [{ status: 200 }, { ...fine, isRead: true }],
    sent: ['HEAD one #1', 'GET one #1'],
    end: 'served',
  },
  {
    claim: 'a HEAD that says yes and a GET that fails end the pull, whatever others have',
    operation: byTag,
    replies: [{ status: 200 }, { status: 500 }],
    sent: ['HEAD one #1', 'GET one #1'],
    end: 'failed',
  },
  {
    claim: 'a manifest that is too large leads on, when it is the wanted one',
    operation: byTag,
    replies: [tooLarge, fine],
    sent: ['HEAD one #1', 'HEAD two #1'],
    end: 'served',
  },
  {
    claim: 'one byte less is not too large',
    operation: byTag,
    replies: [{ ...tooLarge, sizeBytes: 4_393_216 }],
    sent: ['HEAD one #1'],
    end: 'served',
  },
  {
    claim: 'a tag that points to another, too large one is lost: the runtime keeps its digest',
    operation: byTag,
    replies: [{ ...tooLarge, digest: digestOf('other') }],
    sent: ['HEAD one #1'],
    end: 'served',
  },
  {
    claim: 'asked by digest, another digest in the answer does not matter',
    operation: byDigest,
    replies: [{ ...tooLarge, digest: digestOf('other') }, fine],
    sent: ['HEAD one #1', 'HEAD two #1'],
    end: 'served',
  },
  {
    claim: 'a size that is known only by reading counts too',
    operation: byDigest,
    replies: [{ status: 200 }, { ...tooLarge, isRead: true }, fine],
    sent: ['HEAD one #1', 'GET one #1', 'HEAD two #1'],
    end: 'served',
  },
  {
    claim: 'with the digest of a too large answer, the next one needs no digest',
    operation: byTag,
    replies: [tooLarge, { ...fine, digest: undefined }],
    sent: ['HEAD one #1', 'HEAD two #1'],
    end: 'served',
  },
  {
    claim: 'when all are too large, the first answer is what the pull ends with',
    operation: byTag,
    replies: [tooLarge, { status: 404 }],
    sent: ['HEAD one #1', 'HEAD two #1'],
    end: 'served',
  },
  {
    claim: 'blobs are asked of the whole list again',
    operation: layer,
    replies: [{ status: 404 }, { status: 404 }],
    sent: ['GET one #1', 'GET two #1'],
    end: 'failed',
  },
];

for (const { claim, operation, replies, sent, end } of table) {
  test(claim, async () => {
    const walked = walk(operation, await chainOf(), replies);

    assert.deepEqual(walked.sent, sent);
    assert.equal(walked.end.kind, end);
    assert.equal(walked.end.trail.length, sent.length);
  });
}

test('429 is repeated six times at one endpoint, each with its number, then the next is asked', async () => {
  const throttled = Array.from({ length: 6 }, () => ({ status: 429 }));

  const { sent } = walk(byTag, await chainOf(), [...throttled, fine]);

  assert.deepEqual(sent, [...throttled.map((_, index) => `HEAD one #${index + 1}`), 'HEAD two #1']);
});

test('what ends a pull ends the walk, although another endpoint is left', async () => {
  const walking = walkOperation(byTag, await chainOf());
  const first = walking.next();
  assert.ok(!first.done);
  const { method, url } = first.value.request;

  const end = walking.next({
    kind: 'stopped',
    why: 'too-slow',
    reason: 'slow',
    asked: { method, url, answer: 'slow' },
  });

  assert.equal(end.done && end.value.kind, 'stopped');
});

test('after a too large answer the digest of the tag stays, whatever the next one names', async () => {
  const { end } = walk(byTag, await chainOf(), [tooLarge, { ...fine, digest: digestOf('other') }]);

  assert.equal(end.kind === 'served' && end.reply.digest, want);
  assert.equal(end.kind === 'served' && end.by.endpoint.host, 'two');
});

test('when all are too large, it is the size of the first that the verdict sees', async () => {
  const { end } = walk(byTag, await chainOf(), [tooLarge, { status: 404 }]);

  assert.equal(end.kind === 'served' && end.reply.sizeBytes, tooLarge.sizeBytes);
  assert.equal(end.kind === 'served' && end.by.endpoint.host, 'one');
});
