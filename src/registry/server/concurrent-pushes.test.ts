/** Many clients push the same blobs at the same time, some with wrong bytes, some break off. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { type Digest, digestOf } from '../../oci/digest.ts';

/** How a client pushes: right or wrong bytes, in one request or in pieces, or half and then gone. */
type Way = 'whole' | 'pieces' | 'wrong whole' | 'wrong pieces' | 'broken off' | 'given up';

interface Push {
  readonly way: Way;
  readonly blob: number;
  readonly repository: 'a' | 'b';
}

const contents = [0, 1, 2].map((number) => Buffer.alloc(3000 + number, `blob ${number} `));
const digests = contents.map((bytes) => digestOf(bytes));

const pushes = fc.array(
  fc.record<Push>({
    way: fc.constantFrom<Way>(
      'whole',
      'pieces',
      'wrong whole',
      'wrong pieces',
      'broken off',
      'given up',
    ),
    blob: fc.nat({ max: contents.length - 1 }),
    repository: fc.constantFrom('a', 'b'),
  }),
  { minLength: 8, maxLength: 24 },
);

test('whatever is pushed beside it, a blob that was taken can be pulled', async (t) => {
  await fc.assert(
    fc.asyncProperty(pushes, async (all) => {
      const directory = await tempDir(t);
      const registry = await startRegistry(t, { directory });

      const taken = await Promise.all(all.map((push) => pushed(t, registry, push)));

      await assertServed(registry, all, taken);
      await registry.stop();
      assert.equal((await readdir(directory)).includes('.slipway-ingest'), false);
      const again = await startRegistry(t, { directory });
      await assertServed(again, all, taken);
      await again.stop();
    }),
    { numRuns: 12 },
  );
});

/** All that was taken is there, whole; nothing else is, neither as bytes nor in a repository. */
async function assertServed(
  registry: TestRegistry,
  all: readonly Push[],
  taken: readonly boolean[],
): Promise<void> {
  for (const repository of ['a', 'b']) {
    for (const [number, digest] of digests.entries()) {
      const wanted = all.some(
        (push, at) => taken[at] && push.repository === repository && push.blob === number,
      );
      const got = await sendRequest(registry.url, { path: `/v2/${repository}/blobs/${digest}` });
      assert.equal(got.status, wanted ? 200 : 404, `${digest} in ${repository}`);
      if (wanted) assert.ok(contents[number]?.equals(got.bytes));
    }
  }
}

/** True if the registry said that it has taken the blob. */
function pushed(t: TestContext, registry: TestRegistry, push: Push): Promise<boolean> {
  const digest = digests[push.blob] ?? digestOf('');
  const right = contents[push.blob] ?? Buffer.alloc(0);
  const wrong = Buffer.alloc(right.length, 'wrong');
  switch (push.way) {
    case 'whole':
      return pushWhole(registry, push.repository, digest, right);
    case 'wrong whole':
      return pushWhole(registry, push.repository, digest, wrong);
    case 'pieces':
      return pushPieces(registry, push.repository, digest, right);
    case 'wrong pieces':
      return pushPieces(registry, push.repository, digest, wrong);
    case 'broken off':
      return breakOff(t, registry, push.repository, digest);
    case 'given up':
      return giveUp(registry, push.repository);
  }
}

async function pushWhole(
  { url }: TestRegistry,
  repository: string,
  digest: Digest,
  body: Buffer,
): Promise<boolean> {
  const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
  const { status } = await sendRequest(url, { method: 'POST', path, body });
  assert.ok(status === 201 || status === 400, `answered ${status}`);
  return status === 201;
}

async function open({ url }: TestRegistry, repository: string): Promise<string> {
  const path = `/v2/${repository}/blobs/uploads/`;
  return String((await sendRequest(url, { method: 'POST', path })).headers.location);
}

async function pushPieces(
  registry: TestRegistry,
  repository: string,
  digest: Digest,
  body: Buffer,
): Promise<boolean> {
  const at = await open(registry, repository);
  const [first, rest] = [body.subarray(0, 1000), body.subarray(1000)];
  await sendRequest(registry.url, { method: 'PATCH', path: at, body: first });
  const path = `${at}?digest=${digest}`;
  const { status } = await sendRequest(registry.url, { method: 'PUT', path, body: rest });
  return status === 201;
}

async function breakOff(
  t: TestContext,
  registry: TestRegistry,
  repository: string,
  digest: Digest,
): Promise<false> {
  const socket = connect(registry.port, '127.0.0.1');
  t.after(() => socket.destroy());
  const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 3000\r\n\r\n`;
  await new Promise((resolve) => socket.write(`${head}half`, resolve));
  socket.destroy();
  return false;
}

async function giveUp(registry: TestRegistry, repository: string): Promise<false> {
  const at = await open(registry, repository);
  await sendRequest(registry.url, { method: 'PATCH', path: at, body: 'some bytes' });
  await sendRequest(registry.url, { method: 'DELETE', path: at });
  return false;
}

test('a manifest that was taken can be pulled by its tag, though it is deleted and pushed at once', async (t) => {
  const directory = await tempDir(t);
  const registry = await startRegistry(t, { directory });
  const body = JSON.stringify({ schemaVersion: 2, manifests: [] });
  const type = 'application/vnd.oci.image.index.v1+json';
  const digest = digestOf(body);
  const put = (tag: string) =>
    sendRequest(registry.url, {
      method: 'PUT',
      path: `/v2/app/manifests/${tag}`,
      headers: { 'content-type': type },
      body,
    });

  for (let round = 0; round < 15; round += 1) {
    const path = `/v2/app/manifests/${digest}`;
    const remove = () => sendRequest(registry.url, { method: 'DELETE', path });
    await Promise.all([put('v1'), remove(), put('v2'), remove(), put('v3')]);

    for (const tag of (await registry.repositories.tags('app')) ?? []) {
      const got = await sendRequest(registry.url, { path: `/v2/app/manifests/${tag}` });
      assert.equal(got.status, 200, `${tag} leads nowhere (round ${round})`);
    }
  }
  for await (const blob of registry.store.list(testRun(t))) assert.equal(blob.digest, digest);
});
