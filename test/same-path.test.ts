/** Two upstreams with one repository path (R0-53): told at the plan, refused before anything is written or sent. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { head, imageFor, mustRun } from './support/bad-input-place.ts';
import { pushImage } from './support/push-image.ts';
import { runCli } from './support/run-cli.ts';
import { writeSite } from './support/sample-files.ts';
import { startRegistry, type TestRegistry } from './support/start-registry.ts';
import { tempDir } from './support/temp-dir.ts';

interface Place {
  readonly folder: string;
  readonly target: TestRegistry;
}

/** docker.io/x/y:1 and quay.io/x/y:2, which are different images, and a registry for a Site. */
async function startPlace(t: TestContext): Promise<Place> {
  const [docker, quay, target] = [
    await startRegistry(t),
    await startRegistry(t),
    await startRegistry(t),
  ];
  await pushImage(docker.url, 'x/y', '1', imageFor('amd64', 'one'));
  await pushImage(quay.url, 'x/y', '2', imageFor('amd64', 'two'));
  const folder = await tempDir(t);
  await writeFile(
    join(folder, 'release.yaml'),
    `${head}  platforms: [linux/amd64]
  sandbox: docker.io/x/y:1
  components:
    - {name: a, images: ["docker.io/x/y:1", "quay.io/x/y:2"]}
`,
  );
  await writeFile(
    join(folder, 'policy.yaml'),
    `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes: {any: {registries: ["*"]}}
  registries: {docker.io: {endpoint: "${docker.url}"}, quay.io: {endpoint: "${quay.url}"}}
`,
  );
  await writeTarget(folder, target, 'keep-path');
  return { folder, target };
}

function writeTarget(folder: string, { host }: TestRegistry, layout: string): Promise<void> {
  const main = `{address: "${host}/platform", plainHttp: true, publish: [${layout}]}`;
  return writeSite(folder, main, '{workload: {runtime: containerd@2.1.1}}');
}

const plan = ['plan', 'release.yaml', 'policy.yaml'];
const load = ['load', 'sample.bundle', '--site', 'site.yaml'];
const write = ['mirrors', 'write', '--site', 'site.yaml', '--root', 'node'];

test('upstreams with one path are a thing to know at the plan, and refused for a Site', async (t) => {
  const { folder } = await startPlace(t);

  const refused = await runCli(folder, ...plan, '--site', 'site.yaml');
  const left = await readdir(folder);
  const told = await runCli(folder, ...plan);

  assert.equal(refused.exitCode, 78);
  assert.match(refused.stderr, /who asks for docker\.io\/x\/y:2 would be given quay\.io\/x\/y:2/);
  assert.match(refused.stderr, /PUBLISH_COLLISION/);
  assert.ok(!left.includes('sample.lock.yaml'));
  assert.equal(told.exitCode, 0);
  assert.match(
    told.stdout,
    /1 thing to know\n {2}- docker\.io\/x\/y and quay\.io\/x\/y have one path/,
  );
});

test('neither load, also of a part, nor mirrors write nor serve mixes two upstreams', async (t) => {
  const { folder, target } = await startPlace(t);
  await mustRun(folder, ...plan);
  await mustRun(folder, 'bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml');
  await mkdir(join(folder, 'node'));

  for (const command of [
    load,
    [...load, '--only', 'quay.io'],
    write,
    ['registry', 'serve', '--bundle', 'sample.bundle', '--listen', '127.0.0.1:0'],
  ]) {
    const { exitCode, stderr } = await runCli(folder, ...command);

    assert.equal(exitCode, 78, stderr);
    assert.match(stderr, /would mix the images of different upstreams/);
  }
  assert.deepEqual(target.log, []);
  assert.deepEqual(await readdir(join(folder, 'node')), []);
});

test('with keep-host both are loaded, and each rule leads to its own', async (t) => {
  const { folder, target } = await startPlace(t);
  await writeTarget(folder, target, 'keep-host');
  await mkdir(join(folder, 'node'));

  await mustRun(folder, ...plan, '--site', 'site.yaml');
  await mustRun(folder, 'bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml');
  await mustRun(folder, ...load);
  await mustRun(folder, ...write);
  await mustRun(
    folder,
    ...['prove', 'sample.lock.yaml', '--site', 'site.yaml', '--root', 'node'],
    ...['--runtime', 'containerd@2.1.1'],
  );

  const others = await readFile(
    join(folder, 'node/etc/containerd/certs.d/_default/hosts.toml'),
    'utf8',
  );
  assert.match(others, /\/v2\/platform\/not-in-the-lock"/);
  const answer = await fetch(`${target.url}/v2/platform/docker.io/x/y/manifests/2`);
  assert.equal(answer.status, 404);
});

test('what only templates ask for may lie side by side, and load says so', async (t) => {
  const { folder, target } = await startPlace(t);
  await writeTarget(folder, target, 'flat');
  await mustRun(folder, ...plan);
  await mustRun(folder, 'bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml');

  const { exitCode, stdout } = await runCli(folder, ...load);

  assert.equal(exitCode, 0);
  assert.match(stdout, /shared {5}.*\/platform\/y stands for docker\.io\/x\/y and quay\.io\/x\/y/);
});
