/** Many clients push the same blobs at the same time, some with wrong bytes, some break off. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import test from 'node:test';
import fc from 'fast-check';
import { type PushWay, pushRoughly, pushWays } from '../../../test/support/rough-push.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { digestOf } from '../../oci/digest.ts';

interface Push {
  readonly way: PushWay;
  readonly blob: number;
  readonly repository: 'a' | 'b';
}

const contents = [0, 1, 2].map((number) => Buffer.alloc(3000 + number, `blob ${number} `));

const pushes = fc.array(
  fc.record<Push>({
    way: fc.constantFrom(...pushWays),
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

      const taken = await Promise.all(all.map((push) => pushed(registry, push)));

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
    for (const [number, bytes] of contents.entries()) {
      const digest = digestOf(bytes);
      const wanted = all.some(
        (push, at) => taken[at] && push.repository === repository && push.blob === number,
      );
      const got = await sendRequest(registry.url, { path: `/v2/${repository}/blobs/${digest}` });
      assert.equal(got.status, wanted ? 200 : 404, `${digest} in ${repository}`);
      if (wanted) assert.ok(bytes.equals(got.bytes));
    }
  }
}

function pushed({ url }: TestRegistry, { way, blob, repository }: Push): Promise<boolean> {
  return pushRoughly({ url, repository, way, bytes: contents[blob] ?? Buffer.alloc(0) });
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
