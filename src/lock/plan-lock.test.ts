import assert from 'node:assert/strict';
import test from 'node:test';
import { amd64, base, both, imageFor, images, plan, World } from '../../test/support/plan-world.ts';
import { digestOf } from '../oci/digest.ts';
import { buildChart } from '../oci/image-builder.ts';
import { repositoryName } from '../oci/reference.ts';
import { formatLock, readLock } from '../release/lock-document.ts';
import { expandMatrix, loadMatrix, matrixFor } from '../release/matrix.ts';

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

test('the Lock names the sandbox image: that of the matrix, or the one that the Release says', async (t) => {
  const world = new World();
  const line = matrixFor(await loadMatrix(), 'v1.28.8') ?? assert.fail('no line');
  for (const { reference } of expandMatrix(line)) {
    await world.at(repositoryName(reference)).push(reference.tag ?? '', both('of the matrix'));
  }
  await world.at('quay.io/a/sleep').push('1', both('sleep'));
  const matrix = '  kubernetes: v1.28.8\n  components:\n    - {name: kubernetes, from: matrix}\n';
  const own = '    - {name: own, images: ["quay.io/a/sleep:1", "quay.io/a/sleep:1"]}\n';

  const [ofMatrix, said, none] = [
    await plan(t, matrix + own, world),
    await plan(t, `  sandbox: quay.io/a/sleep:1\n${matrix}${own}`, world),
    await plan(t, images('registry.k8s.io/pause:3.9'), world),
  ].map(({ spec }) => spec.sandbox);

  assert.equal(ofMatrix, 'registry.k8s.io/pause:3.9');
  assert.equal(said, 'quay.io/a/sleep:1');
  assert.equal(none, undefined);
});

test('the Lock says why something may not simply be passed on', async (t) => {
  const world = new World();
  await world.at('registry.k8s.io/pause').push('3.9', both('pause'));
  await world.at('cr.openfuyao.cn/openfuyao/app').push('1', both('app'));
  const refs = ['registry.k8s.io/pause:3.9', 'cr.openfuyao.cn/openfuyao/app:1'];

  const [app, pause] = (await plan(t, images(...refs), world)).spec.images;

  assert.equal(pause?.redistributionBecause, 'class upstream-only is never redistributed');
  assert.deepEqual([app?.redistribution, app?.redistributionBecause], ['allowed', undefined]);
});

test('a chart is judged as an image is: one of upstream may not be passed on (R0-29)', async (t) => {
  const world = new World();
  await world
    .at('registry.k8s.io/charts/metrics')
    .push('1.0.0', buildChart({ name: 'metrics', version: '1.0.0' }));
  const spec = `  components:
    - name: metrics
      chart: {ref: "oci://registry.k8s.io/charts/metrics", version: 1.0.0}
      images: []
      reason: the chart holds none
`;

  const [chart] = (await plan(t, spec, world)).spec.charts;

  assert.deepEqual(
    [chart?.redistribution, chart?.redistributionBecause],
    ['own-use-only', 'class upstream-only is never redistributed'],
  );
});

test('a chart of two components is locked once, with both reasons', async (t) => {
  const world = new World();
  const chart = buildChart({ name: 'metrics', version: '1.0.0' });
  await world.at('quay.io/charts/metrics').push('1.0.0', chart);
  const component = (name: string) => `    - name: ${name}
      chart: {ref: "oci://quay.io/charts/metrics", version: 1.0.0}
      images: []
      reason: the chart holds none
`;
  const spec = `  components:\n${component('one')}${component('two')}`;

  const lock = await plan(t, spec, world);

  assert.deepEqual(
    lock.spec.charts.map(({ reasons }) => reasons.map((reason) => reason.component)),
    [['one', 'two']],
  );
  assert.deepEqual(readLock(formatLock(lock), 'a.lock.yaml'), lock);
});

test('a digest that one of two mentions names is the one that is locked, also offline', async (t) => {
  const world = new World();
  const old = both('old');
  await world.at('quay.io/a/b').push('1', old);
  const loose = await plan(t, images('quay.io/a/b:1'), world);
  const wanted = both('new');
  await world.at('quay.io/a/b').push('2', wanted);
  const spec = images('quay.io/a/b:1', `quay.io/a/b:1@${wanted.descriptor.digest}`);

  const pinned = await plan(t, spec, world, loose);

  assert.deepEqual(
    pinned.spec.images.map(({ name, target }) => [name, target.digest]),
    [['quay.io/a/b:1', wanted.descriptor.digest]],
  );
  await assert.rejects(plan(t, spec, undefined, loose), { code: 'PLAN_REFUSED' });
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
