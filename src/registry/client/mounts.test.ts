import assert from 'node:assert/strict';
import test from 'node:test';
import { type FakeUploads, startFakeUploads } from '../../../test/support/fake-blob-uploads.ts';
import { sendError } from '../../../test/support/fake-server.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';

const bytes = Buffer.from('layer');
const blob = { digest: digestOf(bytes), size: bytes.length };
const methods = (server: FakeUploads) => server.requests.map(({ method }) => method);

test('a blob of another repository is mounted without moving bytes', async (t) => {
  const server = await startFakeUploads(t, { mountable: [`base@${blob.digest}`] });
  const repository = openClient(t, server.url).repository('app');

  assert.equal(await repository.mount(blob, 'reg.test/base', testRun(t)), true);
  assert.equal(server.requests.length, 1);
});

test('a mount without a source lets the registry look for the blob itself', async (t) => {
  const server = await startFakeUploads(t, { mountable: [`anywhere@${blob.digest}`] });
  const repository = openClient(t, server.url).repository('app');

  assert.equal(await repository.mount(blob, undefined, testRun(t)), true);
});

test('a session that is opened instead of mounting is used by the upload that follows', async (t) => {
  const server = await startFakeUploads(t);
  const repository = openClient(t, server.url).repository('app');

  assert.equal(await repository.mount(blob, 'reg.test/base', testRun(t)), false);
  await repository.put(blob, bytesOf(bytes), testRun(t));

  assert.deepEqual(methods(server), ['POST', 'PUT']);
});

test('a session that nobody used is cancelled when the registry is closed', async (t) => {
  const server = await startFakeUploads(t);
  const client = openClient(t, server.url);
  await client.repository('app').mount(blob, 'reg.test/base', testRun(t));

  await client.close();

  assert.equal(server.sessions.size, 0);
});

test('a mount that is refused or from elsewhere is no error, since the blob can be put', async (t) => {
  const server = await startFakeUploads(t, {
    instead: (_request, response) => {
      sendError(response, 403, 'DENIED');
      return true;
    },
  });
  const repository = openClient(t, server.url).repository('app');

  assert.equal(await repository.mount(blob, 'reg.test/base', testRun(t)), false);
  assert.equal(await repository.mount(blob, 'other.test/base', testRun(t)), false);
  assert.equal(server.requests.length, 1);
});
