import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type MemorySource, memorySource } from '../../test/support/memory-source.ts';
import { testRun } from '../../test/support/test-run.ts';
import { MemoryStore } from '../content/memory-store.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { digestOf } from '../oci/digest.ts';
import { buildChart, buildImage, buildIndex } from '../oci/image-builder.ts';
import type { Platform } from '../oci/platform.ts';
import { tarLayer } from '../oci/tar-layer.ts';
import { releaseKind } from '../release/check-release.ts';
import type { Lock } from '../release/lock.ts';
import { formatLock, readLock } from '../release/lock-document.ts';
import { loadMatrix } from '../release/matrix.ts';
import { sourcePolicyKind } from '../release/source-policy.ts';
import { planLock } from './plan-lock.ts';

const amd64: Platform = { os: 'linux', architecture: 'amd64' };
const arm64: Platform = { os: 'linux', architecture: 'arm64' };
const base = tarLayer([{ path: 'base', content: 'shared' }]);
const imageFor = (platform: Platform, text: string) =>
  buildImage({ platform, layers: [base, tarLayer([{ path: 'app', content: text }])] });
const both = (text: string) => buildIndex([imageFor(amd64, text), imageFor(arm64, text)]);

const policyText = `
apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: openfuyao}
spec:
  classes:
    self-built: {registries: [cr.openfuyao.cn/openfuyao]}
    upstream-only: {registries: ["*"], redistribute: never}
`;

/** A world of repositories in memory, made on demand. */
class World {
  readonly repositories = new Map<string, MemorySource>();
  readonly cache = new MemoryStore();

  at(name: string): MemorySource {
    const known = this.repositories.get(name) ?? memorySource(name);
    this.repositories.set(name, known);
    return known;
  }

  ports() {
    return {
      sourceOf: ({ registry, repository }: { registry: string; repository: string }) =>
        this.at(`${registry}/${repository}`),
      fileSize: async () => 4096,
      cache: this.cache,
    };
  }

  requests(): string[] {
    return [...this.repositories.values()].flatMap(({ label, requests }) =>
      requests.splice(0).map((request) => `${label}: ${request}`),
    );
  }
}

async function plan(
  t: TestContext,
  spec: string,
  world: World | undefined,
  earlier?: Lock,
): Promise<Lock> {
  const matrix = await loadMatrix();
  const text = `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
  platforms: [linux/amd64, linux/arm64]
${spec}`;
  const [release] = readDocuments(text, 'release.yaml', [releaseKind(matrix)]);
  const [policy] = readDocuments(policyText, 'policy.yaml', [sourcePolicyKind]);
  assert.ok(release);
  return planLock({ release, policy, matrix, earlier }, world?.ports(), testRun(t));
}

const images = (...refs: string[]) => `  components:
    - name: app
      images: [${refs.map((ref) => JSON.stringify(ref)).join(', ')}]
`;

test('every image is locked by digest for every platform, with class, source and place (R0-47)', async (t) => {
  const world = new World();
  const app = both('app');
  await world.at('cr.openfuyao.cn/openfuyao/app').push('v1', app);

  const lock = await plan(t, images('cr.openfuyao.cn/openfuyao/app:v1'), world);

  const [image] = lock.spec.images;
  assert.equal(image?.target.digest, app.descriptor.digest);
  assert.equal(image.class, 'self-built');
  assert.equal(image.sparse, false);
  assert.deepEqual(
    image.platforms.map(({ platform, layers }) => [platform, layers.length]),
    [
      ['linux/amd64', 2],
      ['linux/arm64', 2],
    ],
  );
  assert.deepEqual(image.reasons, [
    { component: 'app', because: 'listed in images', file: 'release.yaml', line: 8, column: 16 },
  ]);
});

test('a layer that two images share counts once in the unique bytes', async (t) => {
  const world = new World();
  const repository = world.at('cr.openfuyao.cn/openfuyao/app');
  await repository.push('v1', both('one'));
  await repository.push('v2', both('two'));
  const refs = ['cr.openfuyao.cn/openfuyao/app:v1', 'cr.openfuyao.cn/openfuyao/app:v2'];

  const { totals } = (await plan(t, images(...refs), world)).spec;

  assert.equal(totals.bytes - totals.uniqueBytes, base.length);
});

test('all that is wrong is reported at once, each with its place', async (t) => {
  const world = new World();
  await world.at('cr.openfuyao.cn/openfuyao/app').push('v1', imageFor(amd64, 'app'));
  const refs = [
    'cr.openfuyao.cn/openfuyao/app:v1',
    'cr.openfuyao.cn/openfuyao/app:gone',
    'registry.k8s.io/pause:3.9',
  ];

  const planning = plan(t, images(...refs), world);

  await assert.rejects(planning, (error: { code: string; data: { problems: unknown[] } }) => {
    const found = error.data.problems.map((problem) => {
      const { code, line, column } = problem as { code: string; line: number; column: number };
      return `${line}:${column} ${code}`;
    });
    assert.equal(error.code, 'PLAN_REFUSED');
    assert.deepEqual(found, [
      '8:16 IMAGE_PLATFORM_MISSING',
      '8:52 MANIFEST_NOT_FOUND',
      '8:90 MANIFEST_NOT_FOUND',
    ]);
    return true;
  });
});

test('when only registries fail, the documents are not blamed', async (t) => {
  await assert.rejects(plan(t, images('registry.k8s.io/pause:3.9'), new World()), {
    code: 'PLAN_UNRESOLVED',
    category: 'remote',
  });
});

test('a second plan of finished work asks only where the tags point (P4)', async (t) => {
  const world = new World();
  await world.at('registry.k8s.io/pause').push('3.9', both('pause'));
  const spec = images('registry.k8s.io/pause:3.9');
  const first = await plan(t, spec, world);
  assert.equal(world.requests().filter((request) => request.includes('GET')).length, 3);

  const second = await plan(t, spec, world, first);

  assert.deepEqual(second, first);
  assert.deepEqual(world.requests(), ['registry.k8s.io/pause: HEAD 3.9']);
});

test('a plan that was killed does not read again what its cache holds (P4)', async (t) => {
  const world = new World();
  await world.at('registry.k8s.io/pause').push('3.9', both('pause'));
  const spec = images('registry.k8s.io/pause:3.9');
  await plan(t, spec, world);
  world.requests();

  await plan(t, spec, world);

  assert.deepEqual(world.requests(), ['registry.k8s.io/pause: HEAD 3.9']);
});

test('a tag that moved is resolved anew', async (t) => {
  const world = new World();
  await world.at('docker.io/library/openssl').push('latest', both('old'));
  const spec = images('docker.io/library/openssl:latest');
  const first = await plan(t, spec, world);
  const moved = both('new');
  await world.at('docker.io/library/openssl').push('latest', moved);

  const second = await plan(t, spec, world, first);

  assert.equal(second.spec.images[0]?.target.digest, moved.descriptor.digest);
  assert.equal(second.spec.images[0]?.movingTag, true);
});

test('offline, the earlier Lock is all there is', async (t) => {
  const world = new World();
  await world.at('registry.k8s.io/pause').push('3.9', both('pause'));
  const first = await plan(t, images('registry.k8s.io/pause:3.9'), world);

  const again = await plan(t, images('registry.k8s.io/pause:3.9'), undefined, first);

  assert.deepEqual(again, first);
  await assert.rejects(
    plan(t, images('registry.k8s.io/pause:3.9', 'quay.io/a/b:1'), undefined, first),
    (error: { data: { problems: readonly { code: string; message: string }[] } }) => {
      assert.deepEqual(
        error.data.problems.map(({ code }) => code),
        ['LOCK_LACKS_IMAGE'],
      );
      return true;
    },
  );
});

test('a subset of the platforms keeps the index and says that it is sparse (P1)', async (t) => {
  const world = new World();
  const index = both('app');
  await world.at('quay.io/a/b').push('1', index);
  const spec = `  components:
    - name: app
      images: [{ref: "quay.io/a/b:1", platforms: [linux/arm64]}]
`;

  const lock = await plan(t, spec, world);

  const [image] = lock.spec.images;
  assert.equal(image?.target.digest, index.descriptor.digest);
  assert.equal(image.sparse, true);
  assert.deepEqual(
    image.platforms.map(({ platform }) => platform),
    ['linux/arm64'],
  );
});

test('attestations of chosen images travel along, so that all platforms are not sparse', async (t) => {
  const world = new World();
  const image = imageFor(amd64, 'app');
  const other = imageFor(arm64, 'app');
  const statement = buildImage({ layers: [Buffer.from('{}')], platform: amd64 });
  const attestation = {
    ...statement,
    descriptor: {
      ...statement.descriptor,
      platform: { os: 'unknown', architecture: 'unknown' },
      annotations: {
        'vnd.docker.reference.type': 'attestation-manifest',
        'vnd.docker.reference.digest': image.descriptor.digest,
      },
    },
  };
  await world.at('quay.io/a/b').push('1', buildIndex([image, other, attestation]));

  const lock = await plan(t, images('quay.io/a/b:1'), world);

  assert.equal(lock.spec.images[0]?.sparse, false);
  const last = lock.spec.images[0].platforms.at(-1);
  assert.deepEqual([last?.kind, last?.platform], ['attestation', undefined]);
  assert.deepEqual(readLock(formatLock(lock), 'a.lock.yaml'), lock);
});

test('an artefact that runs on no platform is locked as one, and found again offline', async (t) => {
  const world = new World();
  await world.at('quay.io/a/policy').push('1', buildChart({ name: 'policy', version: '1.0.0' }));
  const spec = images('quay.io/a/policy:1');

  const lock = await plan(t, spec, world);

  const [image] = lock.spec.images;
  assert.deepEqual(
    image?.platforms.map(({ kind, platform }) => [kind, platform]),
    [['artefact', undefined]],
  );
  assert.deepEqual(readLock(formatLock(lock), 'a.lock.yaml'), lock);
  assert.deepEqual(await plan(t, spec, undefined, lock), lock);
});

test('artefacts beside images in an index do not stand for the platforms', async (t) => {
  const world = new World();
  const unmarked = [
    buildChart({ name: 'statement', version: '1.0.0' }),
    imageFor(amd64, 'a'),
    imageFor(arm64, 'a'),
  ].map(({ descriptor: { platform: _, ...descriptor }, ...image }) => ({ ...image, descriptor }));
  await world.at('quay.io/a/b').push('1', buildIndex(unmarked));

  const lock = await plan(t, images('quay.io/a/b:1'), world);

  assert.deepEqual(
    lock.spec.images[0]?.platforms.map(({ platform }) => platform),
    ['linux/amd64', 'linux/arm64'],
  );
});

test('a platform is locked as the Release spells it, whatever the image says, and is reused', async (t) => {
  const world = new World();
  await world.at('quay.io/a/b').push('1', imageFor({ ...arm64, variant: 'v8' }, 'a'));
  const spec = `  components:
    - name: app
      images: [{ref: "quay.io/a/b:1", platforms: [linux/arm64]}]
`;

  const lock = await plan(t, spec, world);

  assert.equal(lock.spec.images[0]?.platforms[0]?.platform, 'linux/arm64');
  world.requests();
  assert.deepEqual(await plan(t, spec, world, lock), lock);
  assert.deepEqual(world.requests(), ['quay.io/a/b: HEAD 1']);
  assert.deepEqual(await plan(t, spec, undefined, lock), lock);
});

test('an earlier Lock with another spelling of the platform serves offline, respelled', async (t) => {
  const world = new World();
  await world.at('quay.io/a/b').push('1', both('a'));
  const spec = images('quay.io/a/b:1');
  const lock = await plan(t, spec, world);
  const earlier = structuredClone(lock);
  for (const { platforms } of earlier.spec.images) {
    for (const one of platforms) if (one.platform === 'linux/arm64') one.platform += '/v8';
  }

  assert.deepEqual(await plan(t, spec, undefined, earlier), lock);
});

test('charts and files are locked beside the images', async (t) => {
  const world = new World();
  const chart = buildChart({ name: 'metrics', version: '3.12.2+up' });
  await world.at('hub.oepkgs.net/openfuyao/charts/metrics').push('3.12.2_up', chart);
  const digest = digestOf('helm');
  const spec = `  components:
    - name: metrics
      chart: {ref: "oci://hub.oepkgs.net/openfuyao/charts/metrics", version: 3.12.2+up}
      images: []
      reason: the chart holds none
  files:
    - {name: helm, version: v4.3.1, platform: linux/amd64, url: "https://files.example/helm", digest: "${digest}", mode: "0755"}
`;

  const lock = await plan(t, spec, world);

  assert.deepEqual(lock.spec.totals.charts, 1);
  assert.equal(lock.spec.charts[0]?.manifest.digest, chart.descriptor.digest);
  assert.deepEqual(lock.spec.files[0]?.blob, {
    digest,
    size: 4096,
    mediaType: 'application/octet-stream',
  });
});

test('an image under the name of a chart is refused', async (t) => {
  const world = new World();
  await world.at('quay.io/charts/x').push('1.0.0', imageFor(amd64, 'x'));
  const spec = `  components:
    - name: x
      chart: {ref: "oci://quay.io/charts/x", version: 1.0.0}
      images: []
      reason: none
`;

  await assert.rejects(
    plan(t, spec, world),
    (error: { data: { problems: { code: string }[] } }) => {
      assert.equal(error.data.problems[0]?.code, 'CHART_NOT_A_CHART');
      return true;
    },
  );
});
