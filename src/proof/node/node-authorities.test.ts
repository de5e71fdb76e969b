import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { directoryTree } from '../../mirrors/directory-tree.ts';
import { memoryTree } from '../../mirrors/memory-tree.ts';
import { ReadRecord } from './read-record.ts';
import { readRuntimeService } from './runtime-service.ts';

const containerd = { units: ['containerd.service'] };

const debian = '/etc/ssl/certs/ca-certificates.crt';
const fedora = '/etc/pki/tls/certs/ca-bundle.crt';
const unit = '/etc/systemd/system/containerd.service';

async function authoritiesOf(files: Readonly<Record<string, string | Uint8Array>>) {
  return (await readRuntimeService(memoryTree(files), containerd)).authorities;
}

test('of the files the first counts, of the folders every file', async () => {
  const { pems, found } = await authoritiesOf({
    [fedora]: 'fedora',
    '/etc/ssl/cert.pem': 'alpine',
    '/etc/ssl/certs/a.0': 'hashed',
    '/etc/ssl/certs/more/b.pem': 'deeper',
    '/etc/pki/tls/certs/c.crt': 'site',
  });

  assert.deepEqual(pems.toSorted(), ['fedora', 'hashed', 'site']);
  assert.deepEqual(found, [fedora, '/etc/ssl/certs', '/etc/pki/tls/certs']);
});

test('a folder in the place of a file leads on, an empty file does not', async () => {
  const { pems } = await authoritiesOf({
    [`${debian}/`]: '',
    [fedora]: '',
    '/etc/ssl/cert.pem': 'x',
  });

  assert.deepEqual(pems, ['']);
});

test('SSL_CERT_FILE and SSL_CERT_DIR of the service replace the usual places', async () => {
  const variables = 'SSL_CERT_FILE=/opt/ca.pem SSL_CERT_DIR=/opt/a:/opt/b';
  const { pems, places } = await authoritiesOf({
    [unit]: `[Service]\nEnvironment=${variables}\n`,
    [debian]: 'usual',
    ...{ '/opt/ca.pem': 'one', '/opt/a/x': 'two', '/opt/b/y': 'three' },
  });

  assert.deepEqual(pems, ['one', 'two', 'three']);
  assert.deepEqual(places, ['/opt/ca.pem', '/opt/a', '/opt/b']);
});

test('an empty variable counts as not set', async () => {
  const { pems } = await authoritiesOf({
    [unit]: '[Service]\nEnvironment=SSL_CERT_FILE= SSL_CERT_DIR=\n',
    '/etc/ssl/certs/a.pem': 'a',
  });

  assert.deepEqual(pems, ['a']);
});

test('links are followed within the root of the node', async (t) => {
  const root = await tempDir(t);
  await mkdir(join(root, 'etc/ssl/certs'), { recursive: true });
  await mkdir(join(root, 'usr/share/ca-certificates'), { recursive: true });
  await writeFile(join(root, 'usr/share/ca-certificates/site.crt'), 'of the node');
  await symlink('/usr/share/ca-certificates/site.crt', join(root, 'etc/ssl/certs/site.pem'));
  await symlink('site.pem', join(root, 'etc/ssl/certs/0a1b2c3d.0'));
  await symlink('/etc/hostname', join(root, 'etc/ssl/certs/gone.pem'));

  const { authorities } = await readRuntimeService(directoryTree(root), containerd);

  assert.deepEqual(authorities.pems, ['of the node']);
  assert.deepEqual(authorities.unread, []);
});

test('what is too much is not read, and said so', async () => {
  const large = (letter: string) => Buffer.alloc(9 * 1024 * 1024, letter);

  const { pems, unread } = await authoritiesOf({
    ...{ '/etc/ssl/certs/a': large('a'), '/etc/ssl/certs/b': large('b') },
    '/etc/ssl/certs/c': 'c',
  });

  assert.equal(pems.length, 2);
  assert.deepEqual(unread, ['/etc/ssl/certs/c (more than 16 MiB before it)']);
});

test('the digest of what was read changes with an authority, a unit, and a file that was missing', async () => {
  const digestOf = async (files: Readonly<Record<string, string>>) => {
    const record = new ReadRecord(memoryTree(files));
    await readRuntimeService(record, containerd);
    return record.digest();
  };

  const digests = await Promise.all([
    digestOf({ [debian]: 'a' }),
    digestOf({ [debian]: 'b' }),
    digestOf({ [debian]: 'a', [unit]: '' }),
    digestOf({ [debian]: 'a', '/etc/ssl/certs/b.pem': '' }),
    digestOf({}),
  ]);

  assert.equal(new Set(digests).size, digests.length);
});
