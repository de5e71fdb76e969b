import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../oci/digest.ts';
import { loadMatrix, matrixFor } from './matrix.ts';
import { missingBinaries } from './needed-binaries.ts';
import type { FileEntry, Release } from './release.ts';

const line = matrixFor(await loadMatrix(), 'v1.28.8') ?? assert.fail('no line v1.28.8');

function releaseWith(files: readonly Partial<FileEntry>[]): Release {
  const whole = files.map((file) => ({
    name: 'x',
    url: 'http://a/b',
    digest: digestOf('x'),
    ...file,
  }));
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Release',
    metadata: { name: 'a', version: '1.0.0' },
    spec: { platforms: ['linux/amd64', 'linux/arm64', 'windows/amd64'], files: whole },
  };
}

function missing(files: readonly Partial<FileEntry>[]): readonly string[] {
  return missingBinaries(releaseWith(files), line).map(
    ({ name, platform }) => `${name} ${platform}`,
  );
}

test('without files every binary is missing on every Linux platform', () => {
  assert.deepEqual(missing([]), [
    'kubeadm linux/amd64',
    'kubeadm linux/arm64',
    'kubelet linux/amd64',
    'kubelet linux/arm64',
    'kubectl linux/amd64',
    'kubectl linux/arm64',
  ]);
});

test('a file counts for its platform, its version, and with neither for all', () => {
  const found = missing([
    { name: 'kubeadm', version: '1.28.8', platform: 'linux/amd64' },
    { name: 'kubelet', version: 'v1.28.7' },
    { name: 'kubectl' },
  ]);

  assert.deepEqual(found, ['kubeadm linux/arm64', 'kubelet linux/amd64', 'kubelet linux/arm64']);
});
