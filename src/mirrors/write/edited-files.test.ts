import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  filesIn,
  harbor,
  nodeWith,
  offline,
  mirrorsRequest as request,
} from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { startRun } from '../../shared/run.ts';
import { writeMirrors } from './write-mirrors.ts';

const hosts = '/etc/containerd/certs.d/docker.io/hosts.toml';
const config = '/etc/containerd/config.toml';
const nvidia =
  '\n[plugins."io.containerd.cri.v1.runtime".containerd]\n  default_runtime_name = "nvidia"\n[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.nvidia]\n  runtime_type = "io.containerd.runc.v2"\n';

test('a rule of ours that somebody edited is refused as such, and kept as a copy with --replace', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  await appendFile(join(root, hosts), '# my line\n');
  const edited = (await filesIn(root))[hosts];

  await assert.rejects(writeMirrors(request(root), startRun()), {
    code: 'MIRROR_FILE_FOREIGN',
    message: `somebody edited ${hosts} since Slipway wrote it; nothing was changed`,
  });
  await writeMirrors(request(root, { replaceForeign: true }), startRun());

  const files = await filesIn(root);
  assert.equal(files[`${hosts}.before-slipway`], edited);
  assert.doesNotMatch(files[hosts] ?? '', /my line/);
});

test('what somebody added to our main configuration stays, also when a setting changes', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  await appendFile(join(root, config), nvidia);

  const kept = await writeMirrors(request(root), startRun());
  const order = request(root, { sandboxImage: 'registry.k8s.io/pause:3.9' });
  await assert.rejects(writeMirrors(order, startRun()), { code: 'MIRROR_FILE_FOREIGN' });
  await writeMirrors({ ...order, replaceForeign: true }, startRun());

  assert.ok(kept.actions.every((action) => action.do === 'keep'));
  const text = (await filesIn(root))[config] ?? '';
  assert.ok(text.includes(nvidia));
  assert.match(text, /sandbox = "registry\.k8s\.io\/pause:3\.9"/);
});

for (const [claim, text] of [
  ['notes that only start like our marker', '# Written by Slipway notes by admin\n'],
  [
    'a marker line without a digest',
    '# Written by Slipway: where docker.io is pulled from.\nserver = "https://m.example"\n',
  ],
] as const) {
  test(`${claim} are not ours: neither overwritten nor removed`, async (t) => {
    const stale = '/etc/containerd/certs.d/quay.io/hosts.toml';
    const root = await nodeWith(t, { [hosts]: text, [stale]: text });

    await assert.rejects(writeMirrors(request(root), startRun()), { code: 'MIRROR_FILE_FOREIGN' });
    await writeMirrors(request(root, { replaceForeign: true }), startRun());

    const files = await filesIn(root);
    assert.equal(files[`${hosts}.before-slipway`], text);
    assert.equal(files[stale], text);
  });
}

test('an edited rule that nobody wants any more is refused; with --replace it goes and a copy stays', async (t) => {
  const root = await nodeWith(t);
  const old = { registry: 'quay.io', targets: [harbor], fallback: false };
  await writeMirrors(request(root, { rules: [...offline, old] }), startRun());
  const path = '/etc/containerd/certs.d/quay.io/hosts.toml';
  await appendFile(join(root, path), '# my line\n');
  const before = await nodeFingerprint(root, true);
  const edited = (await filesIn(root))[path];

  await assert.rejects(writeMirrors(request(root), startRun()), {
    code: 'MIRROR_FILE_FOREIGN',
    message: `somebody edited ${path} since Slipway wrote it; nothing was changed`,
  });
  assert.deepEqual(await nodeFingerprint(root, true), before);
  await writeMirrors(request(root, { replaceForeign: true }), startRun());

  const files = await filesIn(root);
  assert.equal(files[path], undefined);
  assert.equal(files[`${path}.before-slipway`], edited);
});

test('an untouched file of ours is renewed and removed without --replace', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  const rules = [{ registry: 'docker.io', targets: [harbor], fallback: false }];

  const { actions } = await writeMirrors(request(root, { rules }), startRun());

  assert.deepEqual(
    actions.map((action) => action.do),
    ['write', 'keep', 'remove', 'remove'],
  );
});

test('foreign and edited files are told apart in one message', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  await appendFile(join(root, hosts), '# my line\n');
  const foreign = '/etc/containerd/certs.d/_default/hosts.toml';
  await writeFile(join(root, foreign), '# mine\n');

  await assert.rejects(writeMirrors(request(root), startRun()), {
    message: `${foreign} was not written by Slipway, somebody edited ${hosts} since Slipway wrote it; nothing was changed`,
  });
});
