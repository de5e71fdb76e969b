import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { filesIn, nodeWith, mirrorsRequest as request } from '../../../test/support/mirror-node.ts';
import { startRun } from '../../shared/run.ts';
import { applyActions } from './apply-actions.ts';
import { whileLocked } from './node-lock.ts';
import { writeMirrors } from './write-mirrors.ts';

const hosts = '/etc/containerd/certs.d/docker.io/hosts.toml';
const config = '/etc/containerd/config.toml';

async function replaceAt(root: string, path: string, text: string): Promise<string | undefined> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  const { actions } = await writeMirrors(request(root, { replaceForeign: true }), startRun());
  const action = actions.find((item) => item.path === path);
  return action !== undefined && 'backup' in action ? action.backup : undefined;
}

for (const [path, first, second] of [
  [hosts, '# A\n', '# B precious\n'],
  [config, 'version = 3\n# A\n', 'version = 3\n# B precious\n'],
] as const) {
  test(`every foreign text that ${path} had stays in a copy, and the report names that copy`, async (t) => {
    const root = await nodeWith(t);

    const copies = [
      await replaceAt(root, path, first),
      await replaceAt(root, path, second),
      await replaceAt(root, path, first),
      await replaceAt(root, path, second),
    ];

    const [one, two] = [`${path}.before-slipway`, `${path}.before-slipway.2`];
    assert.deepEqual(copies, [one, two, one, two]);
    const files = await filesIn(root);
    assert.equal(files[one], first);
    assert.equal(files[two], second);
    assert.equal(files[`${path}.before-slipway.3`], undefined);
  });
}

test('copies that differ only in bytes that are no text are two copies', async (t) => {
  const root = await nodeWith(t, { [hosts]: '' });
  const place = join(root, hosts);
  const order = request(root, { replaceForeign: true });

  await writeFile(place, Buffer.from([0x23, 0xe9]));
  await writeMirrors(order, startRun());
  await writeFile(place, Buffer.from([0x23, 0xe8]));
  await writeMirrors(order, startRun());

  assert.ok(`${hosts}.before-slipway.2` in (await filesIn(root)));
});

test('a copy that came since the plan is never overwritten', async (t) => {
  const backup = `${hosts}.before-slipway`;
  const files = { [hosts]: '# mine\n', [backup]: '# just now\n' };
  const root = await nodeWith(t, files);
  const action = { do: 'replace', path: hosts, content: '', backup, because: '' } as const;

  const applied = whileLocked(root, (lock) => applyActions(lock, [action]));
  await assert.rejects(applied, {
    code: 'MIRROR_PATH_UNUSABLE',
    message: /before-slipway \(somebody changed it/,
  });

  assert.deepEqual(await filesIn(root), files);
});
