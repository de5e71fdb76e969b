/** The delivery chain through the command line, with real registries on loopback. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { digestOf } from '../src/oci/digest.ts';
import { buildChart, buildImage, buildIndex } from '../src/oci/image-builder.ts';
import { tarLayer } from '../src/oci/tar-layer.ts';
import { pushImage } from './support/push-image.ts';
import { runCli } from './support/run-cli.ts';
import { writeSite } from './support/sample-files.ts';
import { startRegistry, type TestRegistry } from './support/start-registry.ts';
import { tempDir } from './support/temp-dir.ts';

const base = tarLayer([{ path: 'etc/base', content: 'shared by all\n'.repeat(500) }]);
const imageFor = (architecture: string, text: string) =>
  buildImage({
    platform: { os: 'linux', architecture },
    layers: [base, tarLayer([{ path: 'app', content: text }])],
  });
const both = (text: string) => buildIndex([imageFor('amd64', text), imageFor('arm64', text)]);

interface Sources {
  readonly folder: string;
  readonly own: TestRegistry;
  readonly hub: TestRegistry;
  readonly k8s: TestRegistry;
}

/** Three registries with images of each class, and the documents that name them. */
async function startSources(t: TestContext): Promise<Sources> {
  const [own, hub, k8s] = [await startRegistry(t), await startRegistry(t), await startRegistry(t)];
  await pushImage(own.url, 'openfuyao/provider-bke', 'latest', both('bke'));
  await pushImage(own.url, 'openfuyao/console', 'v1', both('console'));
  await pushImage(hub.url, 'openfuyao/metrics-server', 'v0.7.2', both('metrics'));
  await pushImage(
    hub.url,
    'openfuyao/charts/metrics-server',
    '3.12.2',
    buildChart({ name: 'metrics-server', version: '3.12.2' }),
  );
  await pushImage(k8s.url, 'pause', '3.9', both('pause'));
  const folder = await tempDir(t);
  await writeFile(join(folder, 'release.yaml'), releaseText());
  await writeFile(
    join(folder, 'policy.yaml'),
    policyText({
      'cr.openfuyao.cn': own.url,
      'hub.oepkgs.net': hub.url,
      'registry.k8s.io': k8s.url,
    }),
  );
  for (const source of [own, hub, k8s]) source.log.length = 0;
  return { folder, own, hub, k8s };
}

function releaseText(): string {
  return `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
  platforms: [linux/amd64, linux/arm64]
  components:
    - name: provider-bke
      images: ["cr.openfuyao.cn/openfuyao/provider-bke:latest", "cr.openfuyao.cn/openfuyao/console:v1"]
    - name: metrics-server
      licence: Apache-2.0
      chart: {ref: "oci://hub.oepkgs.net/openfuyao/charts/metrics-server", version: 3.12.2}
      images: ["hub.oepkgs.net/openfuyao/metrics-server:v0.7.2"]
    - name: pause
      images: ["registry.k8s.io/pause:3.9"]
`;
}

function policyText(endpoints: Readonly<Record<string, string>>): string {
  const registries = Object.entries(endpoints).map(
    ([name, url]) => `    ${name}: {endpoint: "${url}"}`,
  );
  return `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes:
    self-built: {registries: [cr.openfuyao.cn/openfuyao]}
    redistributable: {registries: [hub.oepkgs.net/openfuyao], licences: {allow: [Apache-2.0]}}
    upstream-only: {registries: ["*"], redistribute: never}
  registries:
${registries.join('\n')}
`;
}

function writeTarget(folder: string, { host }: TestRegistry, publish: string): Promise<void> {
  return writeSite(folder, `{address: "${host}/platform", plainHttp: true, publish: ${publish}}`);
}

async function mustRun(folder: string, ...args: string[]) {
  const result = await runCli(folder, ...args);
  assert.equal(result.exitCode, 0, result.stderr + result.stdout);
  return result;
}

function transfers(registry: TestRegistry): string[] {
  return registry.log
    .filter(({ method, url }) => method !== 'HEAD' && url.includes('/blobs/'))
    .map(({ method, url }) => `${method} ${url}`);
}

/** Digests of the blobs that were uploaded, not mounted. */
function uploadedDigests(registry: TestRegistry): string[] {
  return registry.log.flatMap(({ url, bytesIn }) =>
    url.includes('/blobs/uploads/') && bytesIn > 0 ? (/digest=([^&]+)/.exec(url)?.[1] ?? []) : [],
  );
}

for (const bundle of ['sample.bundle', 'sample.tar']) {
  test(`${bundle}: a release goes from three registries into one, under two names, bytes once`, async (t) => {
    const { folder, own, hub, k8s } = await startSources(t);
    const plan = await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
    assert.match(plan.stdout, /^sample 1\.0\.0 for linux\/amd64, linux\/arm64: 4 images, 1 chart/);
    assert.match(plan.stdout, /provider-bke:latest is a moving tag.*release\.yaml:8:16/);
    assert.match(
      plan.stdout,
      /next: slipway bundle create sample\.lock\.yaml --policy policy\.yaml --own-use/,
    );

    await mustRun(
      folder,
      'bundle',
      'create',
      'sample.lock.yaml',
      '--policy',
      'policy.yaml',
      '--own-use',
      '-o',
      bundle,
    );
    for (const source of [own, hub, k8s]) {
      const fetched = transfers(source);
      assert.equal(new Set(fetched).size, fetched.length, 'a blob was fetched twice');
      await source.stop();
    }
    await mustRun(folder, 'bundle', 'verify', bundle);
    const site = await startRegistry(t);
    await writeTarget(folder, site, '[keep-path, flat]');
    const load = await mustRun(folder, 'load', bundle, '--site', 'site.yaml', '--json');

    const report = JSON.parse(load.stdout) as { names: number };
    // Four images and a chart under two names each; pause has one name under both layouts.
    assert.equal(report.names, 9);
    const sent = uploadedDigests(site);
    assert.equal(new Set(sent).size, sent.length, 'a blob was sent twice');
    const tags = await fetch(`${site.url}/v2/platform/pause/tags/list`);
    assert.deepEqual(await tags.json(), { name: 'platform/pause', tags: ['3.9'] });

    site.log.length = 0;
    const again = await mustRun(folder, 'load', bundle, '--site', 'site.yaml');
    assert.match(again.stdout, /has everything already/);
    assert.deepEqual(
      site.log.filter(({ method }) => method !== 'HEAD'),
      [],
    );
  });
}

test('a second plan and a second create move no bytes (P4)', async (t) => {
  const { folder, own, hub, k8s } = await startSources(t);
  const create = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml', '--own-use'];
  await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
  await mustRun(folder, ...create);
  const text = await readFile(join(folder, 'sample.lock.yaml'), 'utf8');
  for (const source of [own, hub, k8s]) source.log.length = 0;

  await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
  await mustRun(folder, ...create);

  assert.equal(await readFile(join(folder, 'sample.lock.yaml'), 'utf8'), text);
  for (const source of [own, hub, k8s]) {
    assert.deepEqual(
      source.log.filter(({ method }) => method !== 'HEAD'),
      [],
    );
  }
});

test('two images for one name are refused before the first byte moves (R0-53)', async (t) => {
  const { folder } = await startSources(t);
  const other = await startRegistry(t);
  await pushImage(other.url, 'other/pause', '3.9', both('another pause'));
  const release = `${releaseText()}    - name: other
      images: ["quay.io/other/pause:3.9"]
`;
  await writeFile(join(folder, 'release.yaml'), release);
  const policy = await readFile(join(folder, 'policy.yaml'), 'utf8');
  await writeFile(
    join(folder, 'policy.yaml'),
    `${policy}    quay.io: {endpoint: "${other.url}"}\n`,
  );
  await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
  await mustRun(
    folder,
    'bundle',
    'create',
    'sample.lock.yaml',
    '--policy',
    'policy.yaml',
    '--own-use',
  );
  const site = await startRegistry(t);
  await writeTarget(folder, site, '[flat]');

  const load = await runCli(folder, 'load', 'sample.bundle', '--site', 'site.yaml');

  assert.equal(load.exitCode === 0, false);
  assert.match(load.stderr, /PUBLISH_COLLISION/);
  assert.match(load.stderr, /quay\.io\/other\/pause:3\.9/);
  assert.deepEqual(site.log, []);
});

test('a bundle stands for the Lock in it, as a folder and as a tar', async (t) => {
  const { folder } = await startSources(t);
  await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
  const create = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml', '--own-use'];
  const expected = await mustRun(folder, 'why', 'pause');

  for (const bundle of ['sample.bundle', 'sample.tar']) {
    await mustRun(folder, ...create, '-o', bundle);
    const why = await mustRun(folder, 'why', 'pause', '--lock', bundle);

    assert.equal(why.stdout, expected.stdout);
  }
});

test('why names who asked for an image, and says no for what is not there', async (t) => {
  const { folder } = await startSources(t);
  await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');

  const why = await mustRun(folder, 'why', 'pause');
  const unknown = await runCli(folder, 'why', 'nothing-like-this');

  assert.match(
    why.stdout,
    /registry\.k8s\.io\/pause:3\.9\n {2}why {4}pause: listed in images {2}\(release\.yaml:14:16\)/,
  );
  assert.equal(unknown.exitCode, 1);
});

test('a file of the release lies in the bundle as a program', async (t) => {
  const { folder, own } = await startSources(t);
  const program = Buffer.from('#!/bin/sh\necho hello\n');
  const server = await startRegistry(t);
  // A registry is a file server too: a blob's address gives its bytes.
  const digest = digestOf(program);
  const upload = await fetch(`${server.url}/v2/files/blobs/uploads/?digest=${digest}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: program,
  });
  assert.equal(upload.status, 201);
  const url = `${server.url}/v2/files/blobs/${digest}`;
  const release = `${releaseText()}  files:
    - {name: hello, version: v1, platform: linux/amd64, url: "${url}", digest: "${digest}", mode: "0755"}
`;
  await writeFile(join(folder, 'release.yaml'), release);
  await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');

  await mustRun(
    folder,
    'bundle',
    'create',
    'sample.lock.yaml',
    '--policy',
    'policy.yaml',
    '--own-use',
  );

  const found = await readFile(join(folder, 'sample.bundle/files/hello/v1/linux-amd64/hello'));
  assert.deepEqual(found, program);
  assert.ok(own.log.length > 0);
});
