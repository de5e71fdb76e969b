import assert from 'node:assert/strict';
import test from 'node:test';
import { answer, corruptBlobs, truncateBlobs } from '../../test/support/faults.ts';
import {
  failureAt,
  failureIn,
  offlineSite,
  proveSample,
  rulesTo,
  sampleCommands,
  sampleImages,
  spoiledRegistry,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import type { TestRegistry } from '../../test/support/start-registry.ts';
import { testRun } from '../../test/support/test-run.ts';
import { bytesOf } from '../content/byte-streams.ts';
import { digestOf } from '../oci/digest.ts';

const [app, pause] = sampleLock().lock.spec.images;
assert.ok(app !== undefined && pause !== undefined);
const arm64 = app.platforms.find(({ platform }) => platform === 'linux/arm64');
assert.ok(arm64 !== undefined);

test('not-found: a tag that is not there names the request and the command that loads it', async (t) => {
  const registry = await spoiledRegistry(t, {
    after: ({ repositories }) => repositories.removeTag('pause', '3.9'),
  });

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'not-found');
  const url = `${registry.url}/v2/pause/manifests/3.9?ns=registry.k8s.io`;
  assert.deepEqual(failure.asked, [{ method: 'HEAD', url, answer: '404' }]);
  assert.deepEqual(failure.do, [`load ${sampleImages.pause}`]);
});

test('incomplete: the index is there, the manifest of one platform is not', async (t) => {
  const registry = await spoiledRegistry(t, {
    after: async ({ repositories }) =>
      repositories.removeManifest('openfuyao/app', arm64.manifest.digest),
  });

  const failure = await failureAt(t, registry, {
    image: sampleImages.app,
    platform: 'linux/arm64',
  });

  assert.equal(failure.kind, 'incomplete');
  assert.equal(failure.summary, 'the index is there, its arm64 manifest is not');
});

test('incomplete: all missing layers are named, and nothing is blamed on the other platform', async (t) => {
  const { layers } = arm64;
  const own = layers[1];
  assert.ok(own !== undefined);
  const registry = await spoiledRegistry(t, {
    after: ({ repositories }) => repositories.unlinkBlob('openfuyao/app', own.digest),
  });

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  const failure = failureIn(verdictOn(report, sampleImages.app, 'linux/arm64'));
  assert.equal(failure.summary, 'the index is there, 1 of its 2 arm64 layers is not');
  assert.deepEqual(failure.kind === 'incomplete' && failure.missing, [
    { what: 'layer', digest: own.digest, size: own.size },
  ]);
  assert.match(failure.asked[0]?.url ?? '', /\/blobs\//);
  assert.deepEqual(failure.do, [`load ${sampleImages.app} --repair`]);
  assert.equal(verdictOn(report, sampleImages.app).kind, 'proven');
});

test('incomplete: an image without an index speaks of its manifest', async (t) => {
  const registry = await spoiledRegistry(t, {
    after: async ({ repositories }) => {
      const { config, layers } = pause.platforms[0] ?? arm64;
      for (const { digest } of [config, ...layers]) await repositories.unlinkBlob('pause', digest);
    },
  });

  const failure = await failureAt(t, registry);

  assert.equal(failure.summary, 'the manifest is there, its config and its layers are not');
});

test('tag-moved: a tag that is another image now is not proven', async (t) => {
  const registry = await spoiledRegistry(t, {
    after: async ({ repositories }) => {
      const [manifest] = await repositories.manifests('openfuyao/app');
      assert.ok(manifest !== undefined);
      await repositories.putManifest('pause', { descriptor: manifest });
      await repositories.setTag('pause', '3.9', manifest.digest);
    },
  });

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'tag-moved');
  assert.equal(failure.kind === 'tag-moved' && failure.want, pause.target.digest);
});

test('tag-moved: an index may have been rewritten, so its record is asked for first', async (t) => {
  const moved = async ({ repositories }: TestRegistry) => {
    await repositories.putManifest('openfuyao/app', { descriptor: pause.target });
    await repositories.setTag('openfuyao/app', 'v1', pause.target.digest);
  };
  const registry = await spoiledRegistry(t, { after: moved });
  const commands = { ...sampleCommands, proveRewritten: undefined };
  const image = sampleImages.app;

  const without = await failureAt(t, registry, { image });
  const withRecord = await failureAt(t, registry, { image, commands });

  assert.deepEqual(without.do, ['prove rewritten', `load ${image}`]);
  assert.deepEqual(withRecord.do, [`load ${image}`]);
});

test('a tag that was rewritten on purpose is proven under its new digest', async (t) => {
  const index: unknown = JSON.parse(
    Buffer.from(sampleLock().blobs.get(app.target.digest) ?? []).toString(),
  );
  const bytes = Buffer.from(
    JSON.stringify({ ...Object(index), annotations: { rewritten: 'yes' } }),
  );
  const rewritten = { ...app.target, digest: digestOf(bytes), size: bytes.length };
  const registry = await spoiledRegistry(t, {
    after: async ({ repositories, store }) => {
      await store.put(rewritten, bytesOf(bytes), testRun(t));
      await repositories.putManifest('openfuyao/app', { descriptor: rewritten });
      await repositories.setTag('openfuyao/app', 'v1', rewritten.digest);
    },
  });

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
    rewritten: new Map([[app.target.digest, rewritten.digest]]),
  });

  assert.equal(verdictOn(report, sampleImages.app).kind, 'proven');
});

test('wrong-digest: a manifest with other bytes than its digest', async (t) => {
  const bytes = '{"schemaVersion":2}';
  const path = new RegExp(`/v2/pause/manifests/${pause.target.digest}`);
  const headers = { 'content-type': pause.target.mediaType };
  const registry = await spoiledRegistry(t, {
    faults: [
      answer({ method: 'GET', path, status: 200, headers, body: bytes.padEnd(pause.target.size) }),
    ],
  });

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'wrong-digest');
  assert.equal(failure.kind === 'wrong-digest' && failure.want, pause.target.digest);
});

test('wrong-size: a blob of another size than the Lock says', async (t) => {
  const config = pause.platforms[0]?.config;
  assert.ok(config !== undefined);
  const registry = await spoiledRegistry(t, {
    faults: [answer({ path: new RegExp(config.digest), status: 200, body: '1234567' })],
  });

  const failure = await failureAt(t, registry);

  assert.equal(failure.kind, 'wrong-size');
  assert.equal(failure.kind === 'wrong-size' && failure.gotBytes, 7);
});

test('deep finds a blob with a wrong byte, which asking does not', async (t) => {
  const layer = pause.platforms[0]?.layers[1];
  assert.ok(layer !== undefined);
  const registry = await spoiledRegistry(t, {
    faults: [corruptBlobs({ path: new RegExp(layer.digest) })],
  });

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });
  const failure = await failureAt(t, registry, { deep: true });

  assert.equal(verdictOn(report, sampleImages.pause).kind, 'proven');
  assert.equal(failure.kind, 'wrong-digest');
});

test('cut-short: deep finds a body that ends early, after a second try', async (t) => {
  const path = /\/v2\/pause\/blobs\//;
  const registry = await spoiledRegistry(t, { faults: [truncateBlobs({ path, afterBytes: 5 })] });

  const failure = await failureAt(t, registry, { deep: true });

  assert.equal(failure.kind, 'cut-short');
  assert.match(failure.summary, /breaks off .* after 5 of/);
});

test('deep proves a body that was cut once only, and hashes each blob once', async (t) => {
  const registry = await spoiledRegistry(t, {
    faults: [truncateBlobs({ afterBytes: 5, times: 1 })],
  });

  const report = await proveSample(t, {
    deep: true,
    limits: { parallelRepositories: 1, parallelBlobs: 1 },
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.equal(report.totals.failed, 0);
  const downloads = registry.log.filter(
    ({ method, url, isComplete }) => method === 'GET' && isComplete && url.includes('/blobs/'),
  );
  const digests = downloads.map(({ url }) => /sha256:[0-9a-f]+/.exec(url)?.[0]);
  assert.equal(digests.length, new Set(digests).size);
});

test('wrong-size: deep gives up on a body that is longer than its descriptor', async (t) => {
  const config = pause.platforms[0]?.config;
  assert.ok(config !== undefined);
  const body = Buffer.alloc(1024 * 1024);
  const registry = await spoiledRegistry(t, {
    faults: [answer({ method: 'GET', path: new RegExp(config.digest), status: 200, body })],
  });

  const failure = await failureAt(t, registry, { deep: true });

  assert.equal(failure.kind, 'wrong-size');
  assert.ok(failure.kind === 'wrong-size' && failure.gotBytes > config.size);
});
