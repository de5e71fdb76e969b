import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import test from 'node:test';
import { digestOf } from '../oci/digest.ts';
import { formatReference } from '../oci/reference.ts';
import {
  expandMatrix,
  isRuntimeDeclared,
  listLines,
  loadMatrix,
  matrixFor,
  sandboxImage,
} from './matrix.ts';

const folder = new URL('../../data/kubernetes/', import.meta.url);
const matrix = await loadMatrix();

/** The line of a version that must exist. */
function lineOf(version: string) {
  return matrixFor(matrix, version) ?? assert.fail(`no line ${version}`);
}

test('every data file is a line, and every line has its file', async () => {
  const files = (await readdir(folder)).filter((name) => name !== 'lines.yaml');

  assert.deepEqual(
    files.toSorted(),
    listLines(matrix)
      .map((line) => `${line}.yaml`)
      .toSorted(),
  );
});

test('lines come oldest first', () => {
  assert.deepEqual(listLines(matrix), ['v1.28.8', 'v1.34.3']);
  assert.equal(matrix.oldest, 'v1.28.8');
});

/** What `kubeadm config images list` prints for each version. */
const kubeadmLists: Readonly<Record<string, readonly string[]>> = {
  'v1.28.8': [
    'registry.k8s.io/kube-apiserver:v1.28.8',
    'registry.k8s.io/kube-controller-manager:v1.28.8',
    'registry.k8s.io/kube-scheduler:v1.28.8',
    'registry.k8s.io/kube-proxy:v1.28.8',
    'registry.k8s.io/coredns/coredns:v1.10.1',
    'registry.k8s.io/pause:3.9',
    'registry.k8s.io/etcd:3.5.12-0',
  ],
  'v1.34.3': [
    'registry.k8s.io/kube-apiserver:v1.34.3',
    'registry.k8s.io/kube-controller-manager:v1.34.3',
    'registry.k8s.io/kube-scheduler:v1.34.3',
    'registry.k8s.io/kube-proxy:v1.34.3',
    'registry.k8s.io/coredns/coredns:v1.12.1',
    'registry.k8s.io/pause:3.10.1',
    'registry.k8s.io/etcd:3.6.5-0',
  ],
};

for (const [version, images] of Object.entries(kubeadmLists)) {
  test(`${version} expands to the images of kubeadm, with exact tags (R0-75, R0-76)`, () => {
    const expanded = expandMatrix(lineOf(version));

    assert.deepEqual(
      expanded.map((image) => formatReference(image.reference)),
      images,
    );
    assert.equal(expanded[0]?.because, `Kubernetes ${version} needs it: control plane`);
  });
}

test('the sandbox image is the pause image of the line', () => {
  assert.equal(sandboxImage(lineOf('v1.28.8'))?.tag, '3.9');
  assert.equal(sandboxImage(lineOf('v1.34.3'))?.tag, '3.10.1');
});

test('containerd v2.1.1 is declared for 1.28.8, others are not by themselves (R0-110)', () => {
  assert.ok(isRuntimeDeclared(lineOf('v1.28.8'), 'containerd', 'v2.1.1'));
  assert.ok(isRuntimeDeclared(lineOf('v1.28.8'), 'containerd', '2.1.1'));
  assert.equal(isRuntimeDeclared(lineOf('v1.28.8'), 'containerd', 'v2.2.0'), false);
  assert.equal(isRuntimeDeclared(lineOf('v1.28.8'), 'cri-o', 'v2.1.1'), false);
});

test('a line carries the digest of its file, for the Lock (R0-86, R0-108)', async () => {
  const text = await readFile(new URL('v1.28.8.yaml', folder), 'utf8');

  assert.equal(lineOf('v1.28.8').digest, digestOf(text));
});

test('a damaged data file is refused with its place', async () => {
  const damaged = (path: string) =>
    Promise.resolve(
      path.endsWith('lines.yaml')
        ? 'checked: 2026-01-01\noldest: v1.28.8\nbecause: x\nlines: [v1.28.8]\n'
        : 'version: v1.28.8\nimagse: []\n',
    );

  const read = await loadMatrix(damaged);

  assert.throws(() => read.line('v1.28.8'), { code: 'DOCUMENT_INVALID' });
});
