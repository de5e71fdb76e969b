import assert from 'node:assert/strict';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import {
  filesIn,
  nodeWith,
  offline,
  mirrorsRequest as request,
} from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { startRun } from '../../shared/run.ts';
import { writeMirrors } from './write-mirrors.ts';

const hosts = '/etc/containerd/certs.d/docker.io/hosts.toml';
const config = '/etc/containerd/config.toml';
const off = { rules: [] };
const order = { replaceForeign: true, sandboxImage: 'registry.k8s.io/pause:3.9' };
const table = '\n[plugins."io.containerd.cri.v1.runtime"]\n  enable_selinux = true\n';

const nodes: ReadonlyArray<
  readonly [name: string, version: string, files: Record<string, string>]
> = [
  ['an empty node with containerd 1.7', '1.7.28', {}],
  ['an empty node with containerd 2.1', '2.1.1', { '/etc/hostname': 'n\n' }],
  ['a main configuration of somebody else, 1.7', '1.7.28', { [config]: 'version = 2\n# mine' }],
  ['a main configuration of somebody else, 2.1', '2.1.1', { [config]: `version = 3\n${table}` }],
  ['rules of somebody else', '2.1.1', { [hosts]: 'server = "https://m.example"\r\n' }],
  [
    'a folder for drop-ins',
    '2.1.1',
    { [config]: 'version = 3\nimports = ["/etc/containerd/conf.d/*.toml"]\n' },
  ],
];

for (const [name, version, files] of nodes) {
  test(`switching off leaves ${name} as it was, byte for byte (R0-05, R0-106)`, async (t) => {
    const root = await nodeWith(t, files);
    const before = await nodeFingerprint(root);
    const runtime = { name: 'containerd', version } as const;
    await writeMirrors(request(root, { runtime, ...order }), startRun());
    await writeMirrors(request(root, { runtime, ...order, rules: offline.slice(1) }), startRun());
    assert.notDeepEqual(await nodeFingerprint(root), before);

    const { actions, reloads } = await writeMirrors(request(root, { runtime, ...off }), startRun());

    assert.deepEqual(await nodeFingerprint(root), before);
    assert.ok(actions.length > 0);
    assert.deepEqual(
      reloads.map(({ command }) => command),
      ['systemctl restart containerd'],
    );
  });
}

test('what others added to their main configuration since stays, and our lines go', async (t) => {
  const mine = 'version = 3\n# mine\n';
  const root = await nodeWith(t, { [config]: mine });
  await writeMirrors(request(root, { replaceForeign: true }), startRun());
  await appendFile(join(root, config), table);

  await writeMirrors(request(root, off), startRun());

  assert.deepEqual(await filesIn(root), { [config]: `${mine}${table}` });
});

test('lines of others in the middle of ours are refused, and nothing is changed', async (t) => {
  const root = await nodeWith(t, { [config]: 'version = 3\n' });
  await writeMirrors(request(root, { replaceForeign: true }), startRun());
  const text = await readFile(join(root, config), 'utf8');
  await writeFile(join(root, config), text.replace('config_path', '# why\n  config_path'));
  const before = await nodeFingerprint(root, true);

  await assert.rejects(writeMirrors(request(root, off), startRun()), {
    code: 'MIRROR_FILE_FOREIGN',
    message: `somebody edited ${config} since Slipway wrote it; nothing was changed`,
  });

  assert.deepEqual(await nodeFingerprint(root, true), before);
});

test('an edited rule of ours is refused; with --replace it goes, and a copy of the edit stays', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  await appendFile(join(root, hosts), '# mine\n');
  const edited = (await filesIn(root))[hosts];

  await assert.rejects(writeMirrors(request(root, off), startRun()), {
    code: 'MIRROR_FILE_FOREIGN',
  });
  await writeMirrors(request(root, { ...off, replaceForeign: true }), startRun());

  assert.deepEqual(await filesIn(root), { [`${hosts}.before-slipway`]: edited });
});

test('a second switching off, and one on a node that nobody wrote, change nothing', async (t) => {
  const root = await nodeWith(t, { [config]: 'version = 3\n' });
  const before = await nodeFingerprint(root, true);

  const { actions } = await writeMirrors(request(root, off), startRun());

  assert.deepEqual(actions, []);
  assert.deepEqual(await nodeFingerprint(root, true), before);
});

test('a node whose record is lost is switched off by the first lines of its files', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  await rm(join(root, 'var'), { recursive: true });

  await writeMirrors(request(root, off), startRun());

  assert.deepEqual(await filesIn(root), {});
});

test('a single rule that goes brings back the file of somebody else that it replaced', async (t) => {
  const text = 'server = "https://m.example"\n';
  const root = await nodeWith(t, { [hosts]: text });
  await writeMirrors(request(root, order), startRun());

  const rules = offline.filter(({ registry }) => registry !== 'docker.io');
  await writeMirrors(request(root, { ...order, rules }), startRun());

  const files = await filesIn(root);
  assert.equal(files[hosts], text);
  assert.equal(files[`${hosts}.before-slipway`], undefined);
});

test('a main configuration that we changed once is renewed without --replace and without a second copy', async (t) => {
  const root = await nodeWith(t, { [config]: 'version = 3\n# mine\n' });
  await writeMirrors(request(root, { replaceForeign: true }), startRun());

  await writeMirrors(request(root, { sandboxImage: 'registry.k8s.io/pause:3.9' }), startRun());

  const files = await filesIn(root);
  assert.match(files[config] ?? '', /pause:3\.9/);
  assert.equal(files[`${config}.before-slipway.2`], undefined);
});
