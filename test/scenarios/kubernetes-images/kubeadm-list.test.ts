import assert from 'node:assert/strict';
import test from 'node:test';
import { toolPath } from '../../support/tools/build-tools.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { kubernetesVersion } from '../../support/tools/tool-sets.ts';
import { buildUpstreamImages } from '../../support/tools/upstream-images.ts';

test('the upstreams hold every image that the real kubeadm asks for', async () => {
  const kubeadm = await toolPath('kubernetes', 'kubeadm');
  const options = ['--kubernetes-version', kubernetesVersion];
  const names = new Set((await buildUpstreamImages()).map((image) => image.name));

  const listed = await runProgram([kubeadm, 'config', 'images', 'list', ...options]);

  const asked = listed.stdout.trim().split('\n');
  assert.equal(asked.length, 7);
  assert.deepEqual(
    asked.filter((name) => !names.has(name)),
    [],
  );
});
