import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { nodeWith, mirrorsRequest as request } from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { startRun } from '../../shared/run.ts';
import { changeNode, undoLastChange } from './change-node.ts';
import { whileLocked } from './node-lock.ts';
import { writeMirrors } from './write-mirrors.ts';

const certs = '/etc/containerd/certs.d';
const hosts = `${certs}/docker.io/hosts.toml`;
const order = { replaceForeign: true };

/** What a person put where a file of ours belongs, so that no file can be there. */
const obstacles: Readonly<Record<string, (root: string, t: TestContext) => Promise<unknown>>> = {
  'a socket': async (root, t) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const server = createServer().listen(join(root, hosts), resolve);
    t.after(() => server.close());
    await promise;
  },
  'a pipe': async (root) => assert.equal(spawnSync('mkfifo', [join(root, hosts)]).status, 0),
  'a folder': (root) => mkdir(join(root, hosts)),
};

for (const [what, put] of Object.entries(obstacles)) {
  test(`${what} where a file belongs is named, and nothing is changed`, async (t) => {
    const root = await nodeWith(t);
    await mkdir(dirname(join(root, hosts)), { recursive: true });
    await put(root, t);
    const before = await nodeFingerprint(root, true);

    await assert.rejects(writeMirrors(request(root, order), startRun()), {
      code: 'MIRROR_PATH_UNUSABLE',
      message: /docker\.io\/hosts\.toml/,
    });

    assert.deepEqual(await nodeFingerprint(root, true), before);
  });
}

test('a file where a folder belongs is named, and nothing is changed', async (t) => {
  const root = await nodeWith(t, { [`${certs}/docker.io`]: 'a file\n' });
  const before = await nodeFingerprint(root, true);

  await assert.rejects(writeMirrors(request(root, order), startRun()), {
    code: 'MIRROR_PATH_UNUSABLE',
    message: /docker\.io/,
  });

  assert.deepEqual(await nodeFingerprint(root, true), before);
});

test('names that are no UTF-8, and names of 255 bytes, of other files stay through a change and its undo', async (t) => {
  const root = await nodeWith(t, { [`${certs}/${'x'.repeat(255)}/hosts.toml`]: '# mine\n' });
  const odd = Buffer.concat([Buffer.from(join(root, `${certs}/`)), Buffer.from([0x61, 0xff])]);
  await mkdir(odd);
  const oddFile = Buffer.concat([odd, Buffer.from('/hosts.toml')]);
  await writeFile(oddFile, '# theirs\n');

  await writeMirrors(request(root, order), startRun());
  assert.match(await readFile(join(root, hosts), 'utf8'), /backup\.example/);
  await undoLastChange(root);

  assert.equal(await readFile(oddFile, 'utf8'), '# theirs\n');
  assert.equal(
    await readFile(join(root, `${certs}/${'x'.repeat(255)}/hosts.toml`), 'utf8'),
    '# mine\n',
  );
});

test('a registry whose directory would have more than 255 bytes is named before anything is changed', async (t) => {
  const root = await nodeWith(t);
  const before = await nodeFingerprint(root, true);
  const registry = `${'a.'.repeat(140)}example`;
  const [rule] = request(root).rules;
  assert.ok(rule !== undefined);

  await assert.rejects(
    writeMirrors(request(root, { ...order, rules: [{ ...rule, registry }] }), startRun()),
    { code: 'MIRROR_PATH_UNUSABLE', message: /a\.a\./ },
  );

  assert.deepEqual(await nodeFingerprint(root, true), before);
});

test('a name that only the file system finds too long ends in a node as it was, not between two states', async (t) => {
  const root = await nodeWith(t, { '/etc/x': 'mine\n' });
  const before = await nodeFingerprint(root, true);
  const after = { kind: 'file', bytes: Buffer.from('ours\n') } as const;
  const changes = ['/etc/x', `/etc/new/${'y'.repeat(256)}/z`].map((path) => ({ path, after }));

  await assert.rejects(
    whileLocked(root, (lock) => changeNode(lock, changes)),
    { code: 'MIRROR_PATH_UNUSABLE', message: /file name too long/ },
  );

  assert.deepEqual(await nodeFingerprint(root, true), before);
});

test('an immutable file is named, with how to see that, and the node is as it was', async (t) => {
  const root = await nodeWith(t, { [hosts]: '# mine\n' });
  const before = await nodeFingerprint(root);
  if (spawnSync('chattr', ['+i', join(root, hosts)]).status !== 0) {
    return t.skip('chattr +i needs root and a file system that has the flag');
  }
  try {
    await assert.rejects(writeMirrors(request(root, order), startRun()), {
      code: 'MIRROR_PATH_UNUSABLE',
      message:
        /docker\.io\/hosts\.toml \(operation not permitted; lsattr shows whether it is immutable\)/,
    });
  } finally {
    // Here and not after the test: the folder could not be removed before.
    spawnSync('chattr', ['-i', join(root, hosts)]);
  }

  assert.deepEqual(await nodeFingerprint(root), before);
});
