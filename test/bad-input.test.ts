/** Whatever is wrong from outside gets a code, a place and its exit code, and costs nothing that was there. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  etcd,
  good,
  head,
  html,
  imageFor,
  Mendable,
  type Misbehaviour,
  pause,
  startPlace,
} from './support/bad-input-place.ts';
import { answer } from './support/faults.ts';
import { pushImage } from './support/push-image.ts';
import { runCli } from './support/run-cli.ts';

interface Wrong {
  readonly name: string;
  readonly release: string;
  readonly code: string;
  /** Line and column in release.yaml. */
  readonly at: string;
}

const wrongDocuments: readonly Wrong[] = [
  {
    name: 'an unknown key',
    release: good.replace('images: ["registry.k8s.io/etcd', 'image: ["registry.k8s.io/etcd'),
    code: 'DOC_UNKNOWN_FIELD',
    at: '8:7',
  },
  {
    name: 'a bad reference',
    release: good.replace('registry.k8s.io/etcd:3.5', 'registry.k8s.io/Etcd:3.5'),
    code: 'IMAGE_REFERENCE_INVALID',
    at: '8:16',
  },
  {
    name: 'a duplicate component',
    release: good.replace('name: pause', 'name: etcd'),
    code: 'COMPONENT_DUPLICATE',
    at: '9:13',
  },
  {
    name: 'an empty release',
    release: `${head}  platforms: [linux/amd64]\n`,
    code: 'RELEASE_EMPTY',
    at: '4:1',
  },
  {
    name: 'two sources of one image with different digests',
    release: good.replace(
      '["registry.k8s.io/pause:3.9"]',
      `["registry.k8s.io/pause:3.9@${pause.descriptor.digest}", "registry.k8s.io/pause:3.9@${etcd.descriptor.digest}"]`,
    ),
    code: 'IMAGE_CONFLICT',
    at: '10:117',
  },
];

for (const { name, release, code, at } of wrongDocuments) {
  test(`${name} is ${code} at its place, and the Lock stays as it was`, async (t) => {
    const { folder } = await startPlace(t);
    await writeFile(join(folder, 'release.yaml'), release);
    await writeFile(join(folder, 'sample.lock.yaml'), 'an earlier Lock');

    const { exitCode, stderr } = await runCli(folder, 'plan', 'release.yaml', 'policy.yaml');

    assert.equal(exitCode, 65);
    assert.match(stderr, new RegExp(`^release\\.yaml:${at} .*${code}$`, 'm'));
    assert.equal(await readFile(join(folder, 'sample.lock.yaml'), 'utf8'), 'an earlier Lock');
  });
}

const etcdManifests = /^\/v2\/etcd\/manifests\//;
const once = { 'retry-after': '0' };

const refusals: readonly Misbehaviour[] = [
  {
    name: 'a registry that answers HTML',
    fault: answer({ path: etcdManifests, status: 200, ...html }),
    code: 'REGISTRY_NOT_A_REGISTRY',
    exitCode: 69,
  },
  ...[
    { status: 401, code: 'REGISTRY_UNAUTHORIZED', exitCode: 77 },
    { status: 403, code: 'REGISTRY_DENIED', exitCode: 77 },
    { status: 404, code: 'MANIFEST_NOT_FOUND', exitCode: 69 },
    { status: 429, code: 'REGISTRY_RATE_LIMITED', exitCode: 69 },
    { status: 500, code: 'REGISTRY_FAILED', exitCode: 69 },
    { status: 503, code: 'REGISTRY_FAILED', exitCode: 69 },
  ].map(({ status, code, exitCode }) => ({
    name: `a registry that answers ${status}`,
    fault: answer({ path: etcdManifests, status, headers: once }),
    code,
    exitCode,
  })),
  {
    name: 'a manifest over 4 MiB',
    fault: answer({
      method: 'GET',
      path: etcdManifests,
      status: 200,
      headers: { 'content-type': etcd.descriptor.mediaType },
      body: Buffer.alloc(4 * 1024 * 1024 + 1, ' '),
    }),
    code: 'MANIFEST_TOO_LARGE',
    exitCode: 69,
  },
  {
    name: 'a manifest with a wrong digest',
    fault: answer({
      method: 'GET',
      path: etcdManifests,
      status: 200,
      headers: { 'content-type': pause.descriptor.mediaType },
      body: pause.bytes,
    }),
    code: 'MANIFEST_DIGEST_MISMATCH',
    exitCode: 69,
  },
];

for (const { name, fault, code, exitCode } of refusals) {
  test(`plan: ${name} is ${code} at the image's place; the next plan succeeds`, async (t) => {
    const broken = new Mendable(fault);
    const { folder } = await startPlace(t, {
      faults: [broken.fault],
    });

    const failed = await runCli(folder, 'plan', 'release.yaml', 'policy.yaml');
    const files = await readdir(folder);
    broken.mend();
    const mended = await runCli(folder, 'plan', 'release.yaml', 'policy.yaml');

    assert.equal(failed.exitCode, exitCode, failed.stderr);
    assert.match(
      failed.stderr,
      new RegExp(`^release\\.yaml:8:16 .*registry\\.k8s\\.io/etcd.*${code}$`, 'm'),
    );
    assert.doesNotMatch(failed.stderr, /pause/);
    assert.ok(!files.includes('sample.lock.yaml'));
    assert.equal(mended.exitCode, 0, mended.stderr);
  });
}

test('plan: a platform that an image lacks and a tag that vanished are named together', async (t) => {
  const { folder, registry } = await startPlace(t);
  await pushImage(registry.url, 'etcd', '3.5', imageFor('amd64', 'etcd'));
  await fetch(`${registry.url}/v2/pause/manifests/3.9`, { method: 'DELETE' });

  const { exitCode, stderr } = await runCli(folder, 'plan', 'release.yaml', 'policy.yaml');

  assert.equal(exitCode, 65);
  assert.match(stderr, /^release\.yaml:8:16 .*not made for linux\/arm64.*IMAGE_PLATFORM_MISSING$/m);
  assert.match(stderr, /^release\.yaml:10:16 .*pause:3\.9.*MANIFEST_NOT_FOUND$/m);
  assert.match(stderr, /^2 problems, nothing was written$/m);
});
