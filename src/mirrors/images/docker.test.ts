import assert from 'node:assert/strict';
import test from 'node:test';
import { caseImages, knownImage } from '../../../test/support/image-lint-cases.ts';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import { judgeImages } from './judge-images.ts';

const DAEMON = '/etc/docker/daemon.json';
const hub = knownImage('docker.io/library/tool:1', 'platform/library/tool');
const images = { ...caseImages, images: [...caseImages.images, hub] };

async function rulesFound(version: string, files: Readonly<Record<string, string>>) {
  const { openNode } = await openRuntime({ name: 'docker', version });
  const found = await judgeImages(await openNode(memoryTree(files)), images, 'docker');
  return found.map(({ rule, origin }) => `${rule} ${origin.file}`);
}

function mirrored(url: string) {
  return { [DAEMON]: JSON.stringify({ 'registry-mirrors': [url] }) };
}

/** Two registries at one mirror, as the containerd image store reads it. */
function hostsFiles(pathOf: (registry: string) => string): Record<string, string> {
  const files = ['a1.example', 'a2.example'].map((registry): [string, string] => [
    `/etc/docker/certs.d/${registry}/hosts.toml`,
    `server = "https://${registry}"\n\n[host."https://m1.example${pathOf(registry)}"]\n  capabilities = ["pull", "resolve"]\n  override_path = true\n`,
  ]);
  const features = { 'containerd-snapshotter': true };
  return { [DAEMON]: JSON.stringify({ features }), ...Object.fromEntries(files) };
}

test('docker asks a registry of the Site for a name that it does not publish: I002', async () => {
  assert.deepEqual(await rulesFound('27.5.1', mirrored('https://site.example')), [
    `I002 ${DAEMON}`,
  ]);
  assert.deepEqual(await rulesFound('27.5.1', mirrored('https://cache.example')), []);
});

test('docker asks another port of a host of the Site: I005', async () => {
  assert.deepEqual(await rulesFound('27.5.1', mirrored('https://site.example:40443')), [
    `I005 ${DAEMON}`,
  ]);
});

test('docker with the containerd image store asks one name for two registries: I001', async () => {
  const shared = await rulesFound(
    '29.7.2',
    hostsFiles(() => '/v2/all'),
  );

  assert.deepEqual(shared, [
    'I001 /etc/docker/certs.d/a1.example/hosts.toml',
    'I001 /etc/docker/certs.d/a2.example/hosts.toml',
  ]);
  assert.deepEqual(
    await rulesFound(
      '29.7.2',
      hostsFiles((registry) => `/v2/${registry}`),
    ),
    [],
  );
});
