import assert from 'node:assert/strict';
import test from 'node:test';
import { readAsset } from '../../shared/assets.ts';
import { openContainerdNode } from '../containerd/containerd-node.ts';
import { memoryTree } from '../memory-tree.ts';
import { containerdBehaviourFor, loadContainerdVersions, readVersions } from './behaviour.ts';

test('a vendor suffix does not change the behaviour', async () => {
  const versions = await loadContainerdVersions();

  for (const version of ['2.1.0', 'v2.1.0', '2.1.0-k3s1', '2.1.0+build']) {
    assert.equal(versions.behaviourOf(version).has('transfer-service'), true, version);
  }
  assert.equal(versions.behaviourOf('2.0.11').has('transfer-service'), false);
});

test('every known version has a sandbox image', async () => {
  const versions = await loadContainerdVersions();
  const images = ['1.6.0', '1.6.9', '1.7.34', '2.0.0', '2.2.0', '2.3.4', '2.9.0'].map(
    (version) => versions.behaviourOf(version).sandboxImage,
  );

  assert.deepEqual(images, [
    'k8s.gcr.io/pause:3.6',
    'registry.k8s.io/pause:3.6',
    'registry.k8s.io/pause:3.8',
    'registry.k8s.io/pause:3.10',
    'registry.k8s.io/pause:3.10.1',
    'registry.k8s.io/pause:3.10.2',
    'registry.k8s.io/pause:3.10.2',
  ]);
});

test('versions that are incomplete, too old, or of a major that nobody has seen are refused', async () => {
  for (const version of ['2.1', '1.5.18', '3.0.0', 'latest', '']) {
    await assert.rejects(containerdBehaviourFor({ name: 'containerd', version }), {
      code: 'MIRROR_RUNTIME_UNKNOWN',
    });
  }
});

test('a damaged data file is an error of ours, with the place', async () => {
  const text = await readAsset('data/containerd/behaviour.yaml');

  const damages: readonly (readonly [damaged: string, place: RegExp])[] = [
    [text.replace('name: go-toml-2', 'name: strict'), /behaviour\.yaml: .* line 15: .*strict/],
    [text.replace(/ {2}- name: go-toml-2\n(?: {4}.*\n)+/, ''), /does not have go-toml-2/],
    [text.replace('">=1.6.17"', '"from 1.6.17"'), /behaviour\.yaml: .* line 12: .*is no range/],
    ['facts: 1', /lacks "source"/],
    ['', /the file is empty/],
  ];

  for (const [damaged, message] of damages) {
    assert.throws(() => readVersions(damaged), { code: 'DOCUMENT_INVALID', message });
  }
});

test('a runtime that is not known is told how its version is written', async () => {
  await assert.rejects(
    containerdBehaviourFor({ name: 'k3s' }),
    (error: Error & { fix?: string }) =>
      /^the pull rules of k3s are not known/.test(error.message) &&
      /such as k3s@v1\.28\.8\+k3s1; on the node, k3s --version/.test(error.fix ?? ''),
  );
});

test('a version newer than all that were checked says for which one it is taken', async () => {
  const versions = await loadContainerdVersions();

  assert.equal(versions.behaviourOf('2.9.0').takenFor, '2.4.2');
  assert.equal(versions.behaviourOf('2.4.2').takenFor, undefined);
  const node = await openContainerdNode(memoryTree({}), versions.behaviourOf('2.9.0'));
  assert.match(node.findings[0]?.message ?? '', /2\.9\.0 is newer.*like 2\.4\.2/);
});
