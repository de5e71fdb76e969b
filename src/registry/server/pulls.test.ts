import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { pushBlob, pushImage } from '../../../test/support/push-image.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { digestOf } from '../../oci/digest.ts';
import { buildImage } from '../../oci/image-builder.ts';
import { tarLayer } from '../../oci/tar-layer.ts';

const bytes = Buffer.from('0123456789');
const digest = digestOf(bytes);
const blob = { descriptor: { mediaType: 'text/plain', digest, size: bytes.length }, bytes };
const path = `/v2/app/blobs/${digest}`;
const image = buildImage({ layers: [tarLayer([{ path: 'a', content: 'a' }])] });

async function withBlob(t: TestContext, directory?: string): Promise<TestRegistry> {
  const registry = await startRegistry(t, directory === undefined ? {} : { directory });
  await pushBlob(registry.url, 'app', blob);
  return registry;
}

for (const [range, status, body, contentRange] of [
  ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
  ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
  ['bytes=-2', 206, '89', 'bytes 8-9/10'],
  ['bytes=9-100', 206, '9', 'bytes 9-9/10'],
  ['bytes=0-1,4-5', 200, '0123456789', undefined],
  ['nonsense', 200, '0123456789', undefined],
] as const) {
  test(`a blob asked for with Range ${range} is answered with ${status}`, async (t) => {
    for (const directory of [undefined, await tempDir(t)]) {
      const registry = await withBlob(t, directory);

      const answer = await sendRequest(registry.url, { path, headers: { range } });

      assert.equal(answer.status, status);
      assert.equal(answer.text, body);
      assert.equal(answer.headers['content-range'], contentRange);
      assert.equal(answer.headers['content-length'], String(body.length));
      assert.equal(answer.headers['docker-content-digest'], digest);
    }
  });
}

test('a range behind the end of a blob gets 416 with the size', async (t) => {
  const registry = await withBlob(t);

  const answer = await sendRequest(registry.url, { path, headers: { range: 'bytes=10-' } });

  assert.equal(answer.status, 416);
  assert.equal(answer.headers['content-range'], 'bytes */10');
  assert.match(answer.text, /SIZE_INVALID/);
});

test('If-Range counts: a part of this blob, the whole if another was meant', async (t) => {
  const registry = await withBlob(t);
  const ask = (condition: string) =>
    sendRequest(registry.url, { path, headers: { range: 'bytes=5-', 'if-range': condition } });

  assert.equal((await ask(`"${digest}"`)).status, 206);
  assert.equal((await ask('"sha256:other"')).status, 200);
});

test('HEAD tells size and digest of a blob, whatever Range says, and sends no body', async (t) => {
  const registry = await withBlob(t);

  const headers = { range: 'bytes=2-3' };
  const answer = await sendRequest(registry.url, { method: 'HEAD', path, headers });

  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-length'], '10');
  assert.equal(answer.headers['docker-content-digest'], digest);
  assert.equal(answer.headers['accept-ranges'], 'bytes');
  assert.equal(answer.headers['docker-distribution-api-version'], 'registry/2.0');
  assert.equal(answer.bytes.length, 0);
});

test('HEAD of a manifest has the headers of GET, by tag and by digest', async (t) => {
  const registry = await startRegistry(t);
  await pushImage(registry.url, 'app', 'v1', image);

  for (const reference of ['v1', image.descriptor.digest]) {
    const manifest = `/v2/app/manifests/${reference}?ns=docker.io`;
    const [get, head] = await Promise.all([
      sendRequest(registry.url, { path: manifest }),
      sendRequest(registry.url, { method: 'HEAD', path: manifest }),
    ]);

    assert.equal(head.status, 200);
    assert.equal(head.bytes.length, 0);
    for (const name of ['content-type', 'content-length', 'docker-content-digest', 'etag']) {
      assert.equal(head.headers[name], get.headers[name]);
    }
    assert.equal(get.headers['content-length'], String(image.bytes.length));
    assert.equal(get.headers['docker-content-digest'], image.descriptor.digest);
  }
});

test('who knows the content already gets 304', async (t) => {
  const registry = await withBlob(t);
  await pushImage(registry.url, 'app', 'v1', image);
  const known = (at: string, etag: string) =>
    sendRequest(registry.url, { path: at, headers: { 'if-none-match': etag } });

  assert.equal((await known(path, `"${digest}"`)).status, 304);
  const manifest = await known('/v2/app/manifests/v1', `"x", "${image.descriptor.digest}"`);
  assert.equal(manifest.status, 304);
  assert.equal(manifest.headers['docker-content-digest'], image.descriptor.digest);
  assert.equal((await known('/v2/app/manifests/v1', '"x"')).status, 200);
});

test('a repository serves no blob and no manifest that another one holds', async (t) => {
  const registry = await withBlob(t);
  await pushImage(registry.url, 'app', 'v1', image);

  const other = [`blobs/${digest}`, `manifests/${image.descriptor.digest}`, 'manifests/v1'];
  for (const rest of other) {
    assert.equal((await sendRequest(registry.url, { path: `/v2/other/${rest}` })).status, 404);
  }
});

test('bytes that are gone from the store count as absent, also of a known manifest', async (t) => {
  const registry = await withBlob(t, await tempDir(t));
  await pushImage(registry.url, 'app', 'v1', image);

  await registry.store.remove(digest, testRun(t));
  await registry.store.remove(image.descriptor.digest, testRun(t));

  assert.equal((await sendRequest(registry.url, { path })).status, 404);
  assert.equal((await sendRequest(registry.url, { method: 'HEAD', path })).status, 404);
  assert.equal((await sendRequest(registry.url, { path: '/v2/app/manifests/v1' })).status, 404);
});

test('a blob of several chunks arrives whole, and from the middle', async (t) => {
  const registry = await startRegistry(t, { directory: await tempDir(t) });
  const big = Buffer.alloc(3 * 1024 * 1024 + 17, 'slipway');
  const descriptor = { mediaType: 'text/plain', digest: digestOf(big), size: big.length };
  await pushBlob(registry.url, 'app', { descriptor, bytes: big });
  const at = `/v2/app/blobs/${descriptor.digest}`;

  const whole = await sendRequest(registry.url, { path: at });
  const rest = await sendRequest(registry.url, { path: at, headers: { range: 'bytes=1000000-' } });

  assert.ok(whole.bytes.equals(big));
  assert.ok(rest.bytes.equals(big.subarray(1_000_000)));
});
