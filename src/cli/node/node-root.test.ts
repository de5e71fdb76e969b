import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const inside = [
  'etc',
  'etc/containerd/certs.d',
  'etc/rancher/k3s',
  'etc/containers/registries.conf.d',
  'etc/crio',
  'etc/crio/crio.conf.d',
  'etc/docker',
  'system/state',
];
for (const path of inside) {
  test(`${path} of a node is not taken for its root`, async (t) => {
    const folder = await tempDir(t);
    await mkdir(join(folder, 'node', path), { recursive: true });

    const { stderr, exitCode } = await runCli(
      folder,
      ...['mirrors', 'lint', '--root', `node/${path}`],
    );

    assert.match(stderr, /did you mean --root node\?.*NODE_ROOT_INSIDE/);
    assert.equal(exitCode, 64);
  });
}
