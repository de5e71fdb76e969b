import assert from 'node:assert/strict';
import test from 'node:test';
import { formatReference } from '../../../src/oci/reference.ts';
import { expandMatrix, loadMatrix, matrixFor } from '../../../src/release/matrix.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { kubernetesVersion } from '../../support/tools/tool-sets.ts';
import { kubernetesImages } from '../../support/tools/upstream-images.ts';

async function askedByKubeadm(): Promise<readonly string[]> {
  const kubeadm = await toolPath('kubernetes', 'kubeadm');
  const options = ['--kubernetes-version', kubernetesVersion];
  const listed = await runProgram([kubeadm, 'config', 'images', 'list', ...options]);
  return listed.stdout.trim().split('\n').sort();
}

test('our version matrix names exactly the images that the real kubeadm asks for', async () => {
  const line = matrixFor(await loadMatrix(), kubernetesVersion);
  assert.ok(line);

  const ours = expandMatrix(line).map(({ reference }) => formatReference(reference));

  assert.deepEqual(ours.toSorted(), await askedByKubeadm());
});

test('the upstreams of the scenarios hold exactly the images that kubeadm asks for', async () => {
  assert.deepEqual(kubernetesImages.toSorted(), await askedByKubeadm());
});
