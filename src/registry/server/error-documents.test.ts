import assert from 'node:assert/strict';
import test from 'node:test';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { DiskFull } from '../../content/errors.ts';
import { MemoryStore } from '../../content/memory-store.ts';
import { digestOf } from '../../oci/digest.ts';
import { startRun } from '../../shared/run.ts';
import { MemoryRepositories } from './memory-repositories.ts';
import { startRegistryServer } from './server.ts';

const digest = digestOf('x');
const [put, post, patch, remove] = ['PUT', 'POST', 'PATCH', 'DELETE'];

for (const [method, path, status, code] of [
  ['GET', '/v2/app/manifests/v1', 404, 'MANIFEST_UNKNOWN'],
  ['GET', '/v2/app/manifests/.x', 404, 'MANIFEST_UNKNOWN'],
  ['GET', `/v2/app/manifests/${digest}`, 404, 'MANIFEST_UNKNOWN'],
  ['GET', '/v2/app/manifests/sha256:ab', 400, 'DIGEST_INVALID'],
  ['GET', `/v2/app/blobs/${digest}`, 404, 'BLOB_UNKNOWN'],
  ['GET', '/v2/app/blobs/sha256:ab', 400, 'DIGEST_INVALID'],
  ['GET', '/v2/app/tags/list', 404, 'NAME_UNKNOWN'],
  ['GET', '/v2/App/tags/list', 400, 'NAME_INVALID'],
  ['GET', '/v2/../../etc/passwd/manifests/v1', 400, 'NAME_INVALID'],
  ['GET', '/v2/%2e%2e/%2e%2e/manifests/v1', 400, 'NAME_INVALID'],
  ['GET', '/v2/app/referrers/v1', 400, 'DIGEST_INVALID'],
  ['GET', '/v2/app/blobs/uploads/none', 404, 'BLOB_UPLOAD_UNKNOWN'],
  ['GET', '/v2/app/nonsense', 404, 'UNSUPPORTED'],
  ['GET', '/', 404, 'UNSUPPORTED'],
  ['GET', '/v1/search', 404, 'UNSUPPORTED'],
  ['GET', `/v2/${'a/'.repeat(5000)}manifests/v1`, 414, 'UNSUPPORTED'],
  [put, '/v2/app/manifests/v1', 400, 'MANIFEST_INVALID'],
  [put, '/v2/app/blobs/uploads/none?digest=', 400, 'DIGEST_INVALID'],
  [put, `/v2/app/blobs/uploads/none?digest=${digest}`, 404, 'BLOB_UPLOAD_UNKNOWN'],
  [patch, '/v2/app/blobs/uploads/none', 404, 'BLOB_UPLOAD_UNKNOWN'],
  [remove, '/v2/app/blobs/uploads/none', 404, 'BLOB_UPLOAD_UNKNOWN'],
  [remove, '/v2/app/manifests/v1', 404, 'NAME_UNKNOWN'],
  [remove, `/v2/app/blobs/${digest}`, 404, 'BLOB_UNKNOWN'],
  [post, '/v2/app/blobs/uploads/?digest=x', 400, 'DIGEST_INVALID'],
  [post, '/v2/app/blobs/uploads/?mount=x', 400, 'DIGEST_INVALID'],
  [put, `/v2/app/blobs/${digest}`, 405, 'UNSUPPORTED'],
  [post, '/v2/app/manifests/v1', 405, 'UNSUPPORTED'],
  [remove, '/v2/app/tags/list', 405, 'UNSUPPORTED'],
  [patch, '/v2/_catalog', 405, 'UNSUPPORTED'],
  [post, '/v2/', 405, 'UNSUPPORTED'],
  ['GET', '/v2/app/blobs/uploads/', 405, 'UNSUPPORTED'],
] as const) {
  test(`${method} ${path.slice(0, 70)} is answered ${status} ${code}`, async (t) => {
    const registry = await startRegistry(t);

    const answer = await sendRequest(registry.url, { method, path });

    assert.equal(answer.status, status);
    assert.match(String(answer.headers['content-type']), /^application\/json/);
    const document = answer.json() as { errors: { code: string; message: string }[] }; // asserted here
    assert.deepEqual(Object.keys(document), ['errors']);
    assert.equal(document.errors[0]?.code, code);
    assert.ok((document.errors[0]?.message ?? '').length > 10);
    if (status === 405) assert.match(String(answer.headers.allow), /^[A-Z, ]+$/);
  });
}

test('a read-only registry answers reads, and says why it takes no writes', async (t) => {
  const registry = await startRegistry(t, { readOnlyBecause: 'it is being moved' });

  for (const [method, path] of [
    [put, '/v2/app/manifests/v1'],
    [post, '/v2/app/blobs/uploads/'],
    [patch, '/v2/app/blobs/uploads/x'],
    [remove, `/v2/app/blobs/${digest}`],
  ] as const) {
    const answer = await sendRequest(registry.url, { method, path });
    assert.equal(answer.status, 405);
    assert.match(answer.text, /UNSUPPORTED.*it is being moved/);
    assert.equal(answer.headers.allow, 'GET, HEAD');
  }
  assert.equal((await sendRequest(registry.url, { path: '/v2/_catalog' })).status, 200);
});

/** A memory store whose disk is full. */
class FullStore extends MemoryStore {
  override begin(): never {
    throw new DiskFull({ path: '/srv', sizeBytes: 1 });
  }
}

/** A memory store that fails in an unforeseen way. */
class BrokenStore extends MemoryStore {
  override begin(): never {
    throw new Error('the secret inside');
  }
}

for (const [Store, status, wanted] of [
  [FullStore, 507, /disk of this registry is full/],
  [BrokenStore, 500, /its log says why/],
] as const) {
  test(`a store that fails with ${Store.name} is answered ${status} and logged`, async (t) => {
    const warnings: unknown[] = [];
    const warn = (_: string, fields?: unknown) => void warnings.push(fields);
    const log = { debug: () => {}, info: () => {}, warn };
    const storage = {
      access: 'read-write',
      content: new Store(),
      repositories: new MemoryRepositories(),
    } as const;
    const run = startRun({ log, signal: testRun(t).signal });
    const server = await startRegistryServer({ storage }, run);
    t.after(() => server.stop());

    const path = '/v2/app/blobs/uploads/';
    const answer = await sendRequest(server.url, { method: 'POST', path });

    assert.equal(answer.status, status);
    assert.match(answer.text, wanted);
    assert.doesNotMatch(answer.text, /secret inside/);
    assert.equal(warnings.length, 1);
  });
}
