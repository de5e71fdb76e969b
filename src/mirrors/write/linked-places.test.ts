import assert from 'node:assert/strict';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  filesIn,
  harbor,
  nodeWith,
  offline,
  mirrorsRequest as request,
} from '../../../test/support/mirror-node.ts';
import { startRun } from '../../shared/run.ts';
import { writeMirrors } from './write-mirrors.ts';

const certs = '/etc/containerd/certs.d';

/** A node with our rules; the folder of its host directories. */
async function writtenNode(t: TestContext): Promise<{ root: string; folder: string }> {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  return { root, folder: join(root, certs) };
}

async function refusesBoth(root: string, reason: RegExp): Promise<void> {
  const before = await filesIn(root);
  for (const replaceForeign of [false, true]) {
    await assert.rejects(writeMirrors(request(root, { replaceForeign }), startRun()), {
      code: 'MIRROR_PATH_UNUSABLE',
      message: reason,
    });
  }
  assert.deepEqual(await filesIn(root), before);
}

test('a folder that is a link to the one of a wanted rule is an obstacle, and that rule stays', async (t) => {
  const { root, folder } = await writtenNode(t);
  await symlink('_default', join(folder, 'quay.io'));

  await refusesBoth(
    root,
    /_default\/hosts\.toml \(is one file with .*quay\.io\/hosts\.toml.*nothing was changed/,
  );
});

test('a file that is a link to the one of a wanted rule is an obstacle', async (t) => {
  const { root, folder } = await writtenNode(t);
  await mkdir(join(folder, 'quay.io'));
  await symlink('../docker.io/hosts.toml', join(folder, 'quay.io/hosts.toml'));

  await refusesBoth(root, /docker\.io\/hosts\.toml \(is one file with .*quay\.io\/hosts\.toml/);
});

test('two wanted rules in one place are an obstacle, both named', async (t) => {
  const root = await nodeWith(t);
  await mkdir(join(root, certs, '_default'), { recursive: true });
  await symlink('_default', join(root, certs, 'docker.io'));

  await refusesBoth(root, /docker\.io\/hosts\.toml \(is one.*_default\/hosts\.toml \(is one/);
});

test('a wanted rule never overwrites the rule of another registry through a shared folder', async (t) => {
  const root = await nodeWith(t, { '/srv/shared/hosts.toml': '# of other.example\n' });
  await mkdir(join(root, certs), { recursive: true });
  await symlink('/srv/shared', join(root, certs, 'docker.io'));
  await symlink('/srv/shared', join(root, certs, 'other.example'));

  await refusesBoth(root, /is one file with .*other\.example\/hosts\.toml/);
});

test('nothing is removed through a link, and the report says why', async (t) => {
  const { root, folder } = await writtenNode(t);
  await cp(join(folder, 'docker.io'), join(root, 'srv/q'), { recursive: true });
  await symlink('/srv/q', join(folder, 'quay.io'));
  const before = await filesIn(root);

  const { actions } = await writeMirrors(request(root), startRun());

  const kept = actions.find(({ path }) => path === `${certs}/quay.io/hosts.toml`);
  assert.equal(kept?.do, 'keep');
  assert.match(kept?.because ?? '', /behind the link .*certs\.d\/quay\.io/);
  assert.deepEqual(await filesIn(root), before);
});

test('a rule of ours that a link leads to stays, though nobody wants it', async (t) => {
  const root = await nodeWith(t);
  const old = { registry: 'quay.io', targets: [harbor], fallback: false };
  await writeMirrors(request(root, { rules: [...offline, old] }), startRun());
  await symlink('quay.io', join(root, certs, 'other.example'));

  const { actions } = await writeMirrors(request(root), startRun());

  assert.ok(actions.every((action) => action.do === 'keep'));
  assert.ok(`${certs}/quay.io/hosts.toml` in (await filesIn(root)));
});

test('a stale rule goes although the folder of all rules is a link', async (t) => {
  const root = await nodeWith(t, { '/data/certs/.keep': '' });
  await mkdir(join(root, 'etc/containerd'), { recursive: true });
  await symlink('/data/certs', join(root, certs));
  const old = { registry: 'quay.io', targets: [harbor], fallback: false };
  await writeMirrors(request(root, { rules: [...offline, old] }), startRun());
  await writeFile(join(root, 'data/certs/mine'), '');

  const { actions } = await writeMirrors(request(root), startRun());

  assert.deepEqual(
    actions.filter((action) => action.do === 'remove').map(({ path }) => path),
    [`${certs}/quay.io/hosts.toml`],
  );
});
