/** The faults that other tests lay around a registry do what they say. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import {
  answer,
  corruptBlobs,
  cutRequests,
  type Fault,
  slow,
  truncateBlobs,
} from '../../../test/support/faults.ts';
import { pushBlob } from '../../../test/support/push-image.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { digestOf } from '../../oci/digest.ts';

const bytes = Buffer.alloc(600 * 1024, 'slipway');
const descriptor = { mediaType: 'text/plain', digest: digestOf(bytes), size: bytes.length };
const path = `/v2/app/blobs/${descriptor.digest}`;

async function start(t: TestContext, ...faults: Fault[]): Promise<TestRegistry> {
  const registry = await startRegistry(t, { faults });
  await pushBlob(registry.url, 'app', { descriptor, bytes });
  registry.log.length = 0;
  return registry;
}

test('a truncated blob promises all and sends exactly the first bytes', async (t) => {
  const registry = await start(t, truncateBlobs({ afterBytes: 300_000, times: 1 }));
  const answered = await fetch(`${registry.url}${path}`);

  let got = 0;
  await assert.rejects(async () => {
    assert.ok(answered.body);
    for await (const chunk of answered.body) got += chunk.length;
  });

  assert.equal(answered.headers.get('content-length'), String(bytes.length));
  assert.equal(got, 300_000);
  assert.deepEqual(
    registry.log.map(({ isComplete, bytesOut }) => [isComplete, bytesOut]),
    [[false, 300_000]],
  );
  assert.ok((await sendRequest(registry.url, { path })).bytes.equals(bytes));
});

test('a corrupt blob differs in one byte and has the right size', async (t) => {
  const { url } = await start(t, corruptBlobs({ atByte: 400_000 }));

  const got = await sendRequest(url, { path });

  const wrong = [...got.bytes.keys()].filter((at) => got.bytes[at] !== bytes[at]);
  assert.deepEqual(wrong, [400_000]);
  assert.equal(got.bytes.length, bytes.length);
});

test('an answer takes the place of the registry for the requests it is for', async (t) => {
  const headers = { 'retry-after': '1' };
  const refusal = answer({
    method: 'GET',
    path: /blobs/,
    status: 429,
    times: 2,
    headers,
    body: 'no',
  });
  const registry = await start(t, refusal);
  const statuses: number[] = [];

  assert.equal((await sendRequest(registry.url, { path: '/v2/' })).status, 200);
  for (let tries = 0; tries < 3; tries += 1) {
    statuses.push((await sendRequest(registry.url, { path })).status);
  }

  assert.deepEqual(statuses, [429, 429, 200]);
  assert.deepEqual(
    registry.log.map(({ status }) => status),
    [200, 429, 429, 200],
  );
});

test('a slow registry answers after the delay', async (t) => {
  const gate = Promise.withResolvers<void>();
  const pauses: number[] = [];
  const pause = (delayMs: number) => {
    pauses.push(delayMs);
    return gate.promise;
  };
  const registry = await start(t, slow({ path: '/v2/', delayMs: 60, pause }));

  const answered = sendRequest(registry.url, { path: '/v2/' });
  await waitUntil(() => pauses.length === 1, { what: 'the request' });
  assert.equal(registry.log.length, 0);
  gate.resolve();

  assert.equal((await answered).status, 200);
  assert.deepEqual(pauses, [60]);
});

test('a request that is cut gets no answer', async (t) => {
  const registry = await start(t, cutRequests({ method: 'PUT', afterBytes: 3 }));

  await assert.rejects(sendRequest(registry.url, { method: 'PUT', path: '/v2/', body: 'abcdef' }));

  assert.equal((await sendRequest(registry.url, { path: '/v2/' })).status, 200);
});
