import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { type Answer, sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { type DigestAlgorithm, digestOf } from '../../oci/digest.ts';

const content = Buffer.from('0123456789');
const digest = digestOf(content);

/** Opens an upload and gives back where it goes on. */
async function openUpload({ url }: TestRegistry, query = ''): Promise<string> {
  const path = `/v2/app/blobs/uploads/${query}`;
  const opened = await sendRequest(url, { method: 'POST', path });
  assert.equal(opened.status, 202, opened.text);
  assert.equal(opened.headers.range, '0-0');
  return String(opened.headers.location);
}

type Body = string | Buffer | Readable;

function send(
  registry: TestRegistry,
  method: string,
  path: string,
  body?: Body | readonly [chunk: Body, range: string],
): Promise<Answer> {
  if (body === undefined) return sendRequest(registry.url, { method, path });
  if (!isChunk(body)) return sendRequest(registry.url, { method, path, body });
  const [chunk, range] = body;
  const headers = { 'content-range': range };
  return sendRequest(registry.url, { method, path, headers, body: chunk });
}

function isChunk(body: Body | readonly [Body, string]): body is readonly [Body, string] {
  return Array.isArray(body);
}

async function assertHeld(registry: TestRegistry, wanted = digest): Promise<void> {
  const answer = await send(registry, 'GET', `/v2/app/blobs/${wanted}`);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.bytes, content);
}

async function assertNothingStored(registry: TestRegistry, t: TestContext): Promise<void> {
  for await (const { digest: left } of registry.store.list(testRun(t))) {
    assert.fail(`${left} is stored`);
  }
}

function errorCode(answer: Answer): unknown {
  const { errors } = answer.json() as { errors: { code: string }[] }; // the specification's form
  return errors[0]?.code;
}

const places: ReadonlyArray<readonly [string, (t: TestContext) => Promise<TestRegistry>]> = [
  ['memory', (t) => startRegistry(t)],
  ['folder', async (t) => startRegistry(t, { directory: await tempDir(t) })],
];

for (const [place, start] of places) {
  test(`${place}: POST with digest and body stores a blob at once`, async (t) => {
    const registry = await start(t);

    const answer = await send(registry, 'POST', `/v2/app/blobs/uploads/?digest=${digest}`, content);

    assert.equal(answer.status, 201);
    assert.equal(answer.headers.location, `/v2/app/blobs/${digest}`);
    assert.equal(answer.headers['docker-content-digest'], digest);
    await assertHeld(registry);
  });

  test(`${place}: POST, then PUT with the whole body`, async (t) => {
    const registry = await start(t);
    const at = await openUpload(registry);

    const answer = await send(registry, 'PUT', `${at}?digest=${digest}`, content);

    assert.equal(answer.status, 201);
    await assertHeld(registry);
    assert.equal((await send(registry, 'GET', at)).status, 404);
  });

  test(`${place}: chunks with Content-Range, the last one in the PUT`, async (t) => {
    const registry = await start(t);
    const at = await openUpload(registry);

    const first = await send(registry, 'PATCH', at, [content.subarray(0, 4), '0-3']);
    assert.equal(first.status, 202);
    assert.equal(first.headers.range, '0-3');
    const status = await send(registry, 'GET', at);
    assert.equal(status.status, 204);
    assert.equal(status.headers.range, '0-3');
    assert.equal(status.headers.location, at);
    const last = await send(registry, 'PUT', `${at}?digest=${digest}`, [
      content.subarray(4),
      '4-9',
    ]);

    assert.equal(last.status, 201);
    await assertHeld(registry);
  });

  test(`${place}: a stream of unknown length, then an empty PUT`, async (t) => {
    const registry = await start(t);
    const at = await openUpload(registry);

    const body = Readable.from([content.subarray(0, 3), content.subarray(3)]);
    const streamed = await send(registry, 'PATCH', at, body);
    assert.equal(streamed.status, 202);
    assert.equal(streamed.headers.range, '0-9');

    assert.equal((await send(registry, 'PUT', `${at}?digest=${digest}`)).status, 201);
    await assertHeld(registry);
  });

  test(`${place}: a chunk that does not begin where the upload stands gets 416`, async (t) => {
    const registry = await start(t);
    const at = await openUpload(registry);
    await send(registry, 'PATCH', at, [content.subarray(0, 4), '0-3']);

    for (const [method, path] of [
      ['PATCH', at],
      ['PUT', `${at}?digest=${digest}`],
    ] as const) {
      for (const range of ['0-3', '5-8']) {
        const answer = await send(registry, method, path, [content.subarray(0, 4), range]);
        assert.equal(answer.status, 416);
        assert.equal(errorCode(answer), 'BLOB_UPLOAD_INVALID');
        assert.equal(answer.headers.range, '0-3');
        assert.equal(answer.headers.location, at);
      }
    }

    assert.equal((await send(registry, 'PATCH', at, [content.subarray(4), '4-9'])).status, 202);
    assert.equal((await send(registry, 'PUT', `${at}?digest=${digest}`)).status, 201);
    await assertHeld(registry);
  });

  test(`${place}: a Content-Range that lies about the length is refused`, async (t) => {
    const registry = await start(t);
    const at = await openUpload(registry);

    const answer = await send(registry, 'PATCH', at, [content.subarray(0, 4), '0-5']);
    const nonsense = await send(registry, 'PATCH', at, [content.subarray(0, 4), 'all of it']);

    assert.equal(answer.status, 400);
    assert.equal(errorCode(answer), 'SIZE_INVALID');
    assert.equal(nonsense.status, 400);
    assert.equal(errorCode(nonsense), 'BLOB_UPLOAD_INVALID');
    assert.equal((await send(registry, 'GET', at)).headers.range, '0-0');
  });

  test(`${place}: bytes with another digest are refused and leave nothing behind`, async (t) => {
    const registry = await start(t);
    const at = await openUpload(registry);
    const wrong = digestOf('something else');

    const whole = await send(registry, 'POST', `/v2/app/blobs/uploads/?digest=${wrong}`, content);
    const put = await send(registry, 'PUT', `${at}?digest=${wrong}`, content);

    for (const answer of [whole, put]) {
      assert.equal(answer.status, 400);
      assert.equal(errorCode(answer), 'DIGEST_INVALID');
      assert.match(answer.text, new RegExp(digest));
    }
    assert.equal((await send(registry, 'GET', at)).status, 404);
    await assertNothingStored(registry, t);
  });

  test(`${place}: a cancelled upload leaves nothing behind`, async (t) => {
    const registry = await start(t);
    const at = await openUpload(registry);
    await send(registry, 'PATCH', at, content);

    assert.equal((await send(registry, 'DELETE', at)).status, 204);

    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await send(registry, method, at);
      assert.equal(answer.status, 404);
      assert.equal(errorCode(answer), 'BLOB_UPLOAD_UNKNOWN');
    }
    await assertNothingStored(registry, t);
  });

  for (const algorithm of ['sha256', 'sha512'] satisfies DigestAlgorithm[]) {
    test(`${place}: ${algorithm} blobs, also empty ones`, async (t) => {
      const registry = await start(t);
      const wanted = digestOf(content, algorithm);
      const empty = digestOf('', algorithm);
      const at = await openUpload(registry, `?digest-algorithm=${algorithm}`);

      await send(registry, 'PATCH', at, content);
      assert.equal((await send(registry, 'PUT', `${at}?digest=${wanted}`)).status, 201);
      const nothing = await send(registry, 'POST', `/v2/app/blobs/uploads/?digest=${empty}`);

      assert.equal(nothing.status, 201);
      await assertHeld(registry, wanted);
      const head = await send(registry, 'HEAD', `/v2/app/blobs/${empty}`);
      assert.equal(head.status, 200);
      assert.equal(head.headers['content-length'], '0');
    });
  }
}

test('POST with a digest and no body opens an upload', async (t) => {
  const registry = await startRegistry(t);

  const at = await openUpload(registry, `?digest=${digest}`);

  assert.equal((await send(registry, 'PUT', `${at}?digest=${digest}`, content)).status, 201);
});

test('an upload belongs to its repository', async (t) => {
  const registry = await startRegistry(t);
  const at = await openUpload(registry);

  const answer = await send(registry, 'GET', at.replace('/app/', '/other/'));

  assert.equal(answer.status, 404);
  assert.equal(errorCode(answer), 'BLOB_UPLOAD_UNKNOWN');
});

for (const query of ['', '?digest=sha256:ab', '?digest=md5:aa', '?digest=']) {
  test(`PUT with the query "${query}" is refused and the upload goes on`, async (t) => {
    const registry = await startRegistry(t);
    const at = await openUpload(registry);

    const answer = await send(registry, 'PUT', `${at}${query}`, content);

    assert.equal(answer.status, 400);
    assert.equal(errorCode(answer), 'DIGEST_INVALID');
    assert.equal((await send(registry, 'GET', at)).status, 204);
  });
}

test('a digest algorithm that is not known is refused at the start', async (t) => {
  const registry = await startRegistry(t);

  const answer = await send(registry, 'POST', '/v2/app/blobs/uploads/?digest-algorithm=blake3');

  assert.equal(answer.status, 400);
  assert.equal(errorCode(answer), 'DIGEST_INVALID');
});

test('a blob is mounted from its repository, from anywhere, and not from where it is not', async (t) => {
  const registry = await startRegistry(t);
  await send(registry, 'POST', `/v2/app/blobs/uploads/?digest=${digest}`, content);
  const mount = (query: string) => send(registry, 'POST', `/v2/copy/blobs/uploads/?${query}`);

  const notThere = await mount(`mount=${digest}&from=other`);
  assert.equal(notThere.status, 202);
  assert.match(String(notThere.headers.location), /^\/v2\/copy\/blobs\/uploads\//);
  assert.equal((await mount(`mount=${digestOf('x')}`)).status, 202);
  assert.equal((await send(registry, 'HEAD', `/v2/copy/blobs/${digest}`)).status, 404);

  for (const query of [`mount=${digest}&from=app`, `mount=${digest}`]) {
    const mounted = await mount(query);
    assert.equal(mounted.status, 201);
    assert.equal(mounted.headers.location, `/v2/copy/blobs/${digest}`);
    assert.equal(mounted.headers['docker-content-digest'], digest);
  }
  assert.deepEqual((await send(registry, 'GET', `/v2/copy/blobs/${digest}`)).bytes, content);
  const badName = await mount(`mount=${digest}&from=..`);
  assert.equal(errorCode(badName), 'NAME_INVALID');
  assert.equal(errorCode(await mount('mount=nonsense')), 'DIGEST_INVALID');
});

test('Location headers are absolute if the registry knows its outer address', async (t) => {
  const registry = await startRegistry(t, { externalUrl: 'https://registry.example/' });

  const at = await openUpload(registry);
  const { pathname } = new URL(at);
  const done = await send(registry, 'PUT', `${pathname}?digest=${digest}`, content);

  assert.match(at, /^https:\/\/registry\.example\/v2\/app\/blobs\/uploads\//);
  assert.equal(done.headers.location, `https://registry.example/v2/app/blobs/${digest}`);
});

test('uploads that nobody touched make room for others', async (t) => {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const limits = { maxOpenUploads: 1, uploadIdleMs: 1000 };
  const registry = await startRegistry(t, { clock, limits });
  const old = await openUpload(registry);
  now += 1001;

  const fresh = await openUpload(registry);

  assert.equal((await send(registry, 'GET', old)).status, 404);
  assert.equal((await send(registry, 'GET', fresh)).status, 204);
});
