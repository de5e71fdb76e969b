import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  filesIn,
  nodeWith,
  mirrorsRequest as request,
} from '../../../../test/support/mirror-node.ts';
import { startRun } from '../../../shared/run.ts';
import { writeMirrors } from '../../write/write-mirrors.ts';

const main = '/etc/containerd/config.toml';
const other =
  'version = 3\n# mine\nimports = ["/etc/containerd/conf.d/*.toml"]\n[plugins."io.containerd.cri.v1.runtime"]\n  enable_selinux = true\n';

test('a main file that imports a folder gets a drop-in and stays as it is (2.x)', async (t) => {
  const root = await nodeWith(t, { [main]: other });

  const report = await writeMirrors(request(root), startRun());

  const files = await filesIn(root);
  assert.equal(files[main], other);
  assert.match(
    files['/etc/containerd/conf.d/90-slipway.toml'] ?? '',
    /version = 3\n\n\[plugins\."io\.containerd\.cri\.v1\.images"\.registry\]/,
  );
  assert.equal(report.needsRestart, true);
});

test('1.x gets no drop-in, because that would replace all of its CRI settings', async (t) => {
  const text =
    'version = 2\nimports = ["/etc/containerd/conf.d/*.toml"]\n[plugins."io.containerd.grpc.v1.cri"]\n  enable_selinux = true # keep\n';
  const root = await nodeWith(t, { [main]: text });
  const more = {
    runtime: { name: 'containerd', version: '1.7.28' },
    sandboxImage: 'registry.k8s.io/pause:3.9',
  } as const;

  await assert.rejects(
    writeMirrors(request(root, more), startRun()),
    (error: Error & { fix?: string }) => {
      return /config_path = "\/etc\/containerd\/certs\.d"/.test(error.fix ?? '');
    },
  );
  await writeMirrors(request(root, { ...more, replaceForeign: true }), startRun());

  const files = await filesIn(root);
  assert.match(
    files[main] ?? '',
    /\[plugins\."io\.containerd\.grpc\.v1\.cri"\]\n {2}sandbox_image = "registry\.k8s\.io\/pause:3\.9"\n {2}enable_selinux = true # keep\n/,
  );
  assert.equal(files[`${main}.before-slipway`], text);
  const again = await writeMirrors(request(root, more), startRun());
  assert.deepEqual(
    again.actions.filter((action) => action.do !== 'keep'),
    [],
  );
});

test('a main file that says it already is kept', async (t) => {
  const text =
    'version = 2\n[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/etc/containerd/certs.d"\n';
  const root = await nodeWith(t, { [main]: text });

  const report = await writeMirrors(request(root), startRun());

  assert.equal(report.needsRestart, false);
  assert.equal((await filesIn(root))[main], text);
});

test('deprecated mirrors beside the new directory are refused before anything is written (C019)', async (t) => {
  const text = `${other}[plugins."io.containerd.cri.v1.images".registry.mirrors."docker.io"]\nendpoint = ["https://m"]\n`;
  const root = await nodeWith(t, { [main]: text });

  await assert.rejects(
    writeMirrors(request(root), startRun()),
    (error: Error & { code?: string }) => {
      return (
        error.code === 'MIRROR_READBACK_FAILED' && /`mirrors` cannot be set/.test(error.message)
      );
    },
  );
  assert.deepEqual(await filesIn(root), { [main]: text });
});

const broken: ReadonlyArray<readonly [claim: string, text: string, reason: RegExp]> = [
  ['that is not TOML', 'version = 3\nnot toml\n', /does not start: .*config\.toml:2/],
  ['of a version that is too new', 'version = 4\n', /got `4` .*config\.toml:1/],
  [
    'that switches CRI off',
    'version = 3\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n',
    /CRI plugin does not load: .*config\.toml:2/,
  ],
];

for (const [claim, text, reason] of broken) {
  test(`a foreign main file ${claim} is refused by its place, and the advice ends in success`, async (t) => {
    const root = await nodeWith(t, { [main]: text });

    for (const replaceForeign of [false, true]) {
      await assert.rejects(
        writeMirrors(request(root, { replaceForeign }), startRun()),
        (error: Error & { code?: string; fix?: string }) =>
          error.code === 'MIRROR_CONFIG_BROKEN' &&
          reason.test(error.message) &&
          /move \/etc\/containerd\/config\.toml away/.test(error.fix ?? ''),
      );
    }
    assert.deepEqual(await filesIn(root), { [main]: text });

    await rm(join(root, main));
    const report = await writeMirrors(request(root), startRun());
    assert.equal(report.needsRestart, true);
  });
}

test('a main file of ours that somebody broke is written anew', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  const written = await filesIn(root);
  const again = await nodeWith(t, { ...written, [main]: `${written[main]}\nnot toml\n` });

  await writeMirrors(request(again), startRun());

  assert.deepEqual(await filesIn(again), written);
});

test('the report says which settings the main file gets, and that the rest of it stays', async (t) => {
  const root = await nodeWith(t, { [main]: 'version = 2\n' });
  const sandboxImage = 'registry.k8s.io/pause:3.9';

  const report = await writeMirrors(
    request(root, { sandboxImage, replaceForeign: true }),
    startRun(),
  );

  const [action] = report.actions.filter(({ path }) => path === main);
  assert.equal(action?.do, 'change');
  assert.equal(
    action?.because,
    'sets sandbox_image = "registry.k8s.io/pause:3.9" and config_path = "/etc/containerd/certs.d"; every other line stays',
  );
});
