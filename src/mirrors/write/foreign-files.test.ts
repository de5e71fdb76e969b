import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { filesIn, nodeWith, mirrorsRequest as request } from '../../../test/support/mirror-node.ts';
import { startRun } from '../../shared/run.ts';
import { writeMirrors } from './write-mirrors.ts';

test('foreign rule files are refused by name, and nothing is changed', async (t) => {
  const files = {
    '/etc/containerd/certs.d/docker.io/hosts.toml': 'server = "https://docker.io"\n',
  };
  const root = await nodeWith(t, files);

  await assert.rejects(
    writeMirrors(request(root), startRun()),
    (error: Error & { code?: string }) => {
      return error.code === 'MIRROR_FILE_FOREIGN' && /docker\.io\/hosts\.toml/.test(error.message);
    },
  );
  assert.deepEqual(await filesIn(root), files);
});

test('foreign rule files are replaced on request, and a copy stays', async (t) => {
  const path = '/etc/containerd/certs.d/docker.io/hosts.toml';
  const root = await nodeWith(t, { [path]: 'server = "https://docker.io"\n' });
  await chmod(join(root, path), 0o600);

  await writeMirrors(request(root, { replaceForeign: true }), startRun());
  await writeMirrors(request(root, { replaceForeign: true }), startRun());

  const copy = join(root, `${path}.before-slipway`);
  assert.equal(await readFile(copy, 'utf8'), 'server = "https://docker.io"\n');
  assert.equal((await stat(copy)).mode & 0o777, 0o600);
});

test('foreign rules for other registries are kept and named', async (t) => {
  const path = '/etc/containerd/certs.d/quay.io/hosts.toml';
  const root = await nodeWith(t, { [path]: '[host."https://q.example"]\n' });

  const report = await writeMirrors(request(root), startRun());

  assert.ok(report.actions.some((action) => action.do === 'keep' && action.path === path));
  assert.equal((await filesIn(root))[path], '[host."https://q.example"]\n');
});

test('links of the node are followed inside its root only', async (t) => {
  const root = await nodeWith(t, { '/data/.keep': '' });
  await mkdir(join(root, 'etc/containerd'), { recursive: true });
  await symlink('/data/certs', join(root, 'etc/containerd/certs.d'));

  await writeMirrors(request(root), startRun());

  assert.deepEqual((await readdir(join(root, 'data/certs'))).sort(), [
    '_default',
    'docker.io',
    'reg.example_5000_',
  ]);
});

test('a file in the way is named, and the node is left as it was', async (t) => {
  const root = await nodeWith(t, { '/etc/containerd/certs.d': 'a file' });

  await assert.rejects(
    writeMirrors(request(root), startRun()),
    (error: Error & { code?: string }) =>
      ['MIRROR_READBACK_FAILED', 'MIRROR_PATH_UNUSABLE'].includes(error.code ?? ''),
  );
});

const hosts = '/etc/containerd/certs.d/docker.io/hosts.toml';
const config = '/etc/containerd/config.toml';

const obstacles: ReadonlyArray<
  readonly [
    what: string,
    path: string,
    put: (place: string, root: string) => Promise<unknown>,
    reason: RegExp,
  ]
> = [
  ['a folder', hosts, (place) => mkdir(place), /is a folder/],
  ['a link to nothing', hosts, (place) => symlink('/etc/passwd', place), /link to \/etc\/passwd/],
  ['a link to a file', hosts, (place) => symlink('/etc/mine', place), /link to \/etc\/mine/],
  ['a link to a file', config, (place) => symlink('/etc/mine', place), /link to \/etc\/mine/],
  ['a pipe', hosts, async (place) => execFileSync('mkfifo', [place]), /not a regular file/],
  ['a file that is too large', hosts, largeFile, /file too large/],
  ['a folder as the copy', `${hosts}.before-slipway`, copyFolder, /before-slipway \(is a folder/],
];

async function largeFile(place: string): Promise<void> {
  execFileSync('touch', [place]);
  await truncate(place, 11 * 1024 * 1024);
}

async function copyFolder(place: string): Promise<void> {
  execFileSync('sh', ['-c', 'echo mine > "$0"', place.replace('.before-slipway', '')]);
  await mkdir(place);
}

for (const [what, path, put, reason] of obstacles) {
  test(`${what} at ${path} is named before the first byte is written, with --replace too`, async (t) => {
    const root = await nodeWith(t, { '/etc/mine': 'version = 3' });
    await mkdir(dirname(join(root, path)), { recursive: true });
    await put(join(root, path), root);
    const before = await readdir(root, { recursive: true });

    for (const replaceForeign of [false, true]) {
      await assert.rejects(writeMirrors(request(root, { replaceForeign }), startRun()), {
        code: 'MIRROR_PATH_UNUSABLE',
        message: reason,
      });
    }

    assert.deepEqual(await readdir(root, { recursive: true }), before);
    assert.equal(await readFile(join(root, 'etc/mine'), 'utf8'), 'version = 3');
  });
}

test('all obstacles are named at once', async (t) => {
  const root = await nodeWith(t);
  await mkdir(join(root, hosts), { recursive: true });
  await mkdir(join(root, config), { recursive: true });

  await assert.rejects(writeMirrors(request(root), startRun()), {
    code: 'MIRROR_PATH_UNUSABLE',
    message: /docker\.io\/hosts\.toml \(is a folder\), \/etc\/containerd\/config\.toml/,
  });
});
