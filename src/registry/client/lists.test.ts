import assert from 'node:assert/strict';
import test from 'node:test';
import { sendError, sendJson, startFakeServer } from '../../../test/support/fake-server.ts';
import { openClient } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';

async function collect(items: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test('tags are listed over all pages, relative links included', async (t) => {
  const server = await startFakeServer(t, ({ path }, response) => {
    if (path.includes('last=b')) return sendJson(response, 200, { name: 'app', tags: ['c'] });
    const link = '</v2/app/tags/list?last=b&n=1000>; rel="next"';
    return sendJson(response, 200, { name: 'app', tags: ['a', 'b'] }, { link });
  });
  const repository = openClient(t, server.url).repository('app');

  assert.deepEqual(await collect(repository.listTags(testRun(t))), ['a', 'b', 'c']);
});

test('a repository without tags has an empty list', async (t) => {
  const server = await startFakeServer(t, (_request, response) =>
    sendJson(response, 200, { name: 'app', tags: null }),
  );
  const repository = openClient(t, server.url).repository('app');

  assert.deepEqual(await collect(repository.listTags(testRun(t))), []);
});

test('a registry that refuses the page size is asked without one', async (t) => {
  const server = await startFakeServer(t, ({ path }, response) =>
    path.includes('n=')
      ? sendError(response, 400, 'PAGINATION_NUMBER_INVALID')
      : sendJson(response, 200, { tags: ['a'] }),
  );
  const repository = openClient(t, server.url).repository('app');

  assert.deepEqual(await collect(repository.listTags(testRun(t))), ['a']);
});

test('pages that lead in a circle end with an error', async (t) => {
  const server = await startFakeServer(t, ({ path }, response) =>
    sendJson(response, 200, { tags: ['a'] }, { link: `<${path}>; rel="next"` }),
  );
  const repository = openClient(t, server.url).repository('app');

  await assert.rejects(collect(repository.listTags(testRun(t))), {
    code: 'REGISTRY_ANSWER_INVALID',
    message: /circle/,
  });
});

for (const [claim, status, body, code] of [
  ['a missing repository', 404, { errors: [{ code: 'NAME_UNKNOWN' }] }, 'REPOSITORY_NOT_FOUND'],
  ['a list of another shape', 200, { tags: 'many' }, 'REGISTRY_ANSWER_INVALID'],
] as const) {
  test(`${claim} is ${code}`, async (t) => {
    const server = await startFakeServer(t, (_request, response) =>
      sendJson(response, status, body),
    );
    const repository = openClient(t, server.url).repository('app');

    await assert.rejects(collect(repository.listTags(testRun(t))), { code });
  });
}

test('the catalogue is listed over all pages', async (t) => {
  const server = await startFakeServer(t, ({ path }, response) =>
    path.includes('last=')
      ? sendJson(response, 200, { repositories: ['b'] })
      : sendJson(response, 200, { repositories: ['a'] }, { link: '<?last=a>; rel="next"' }),
  );

  assert.deepEqual(await collect(openClient(t, server.url).catalogue(testRun(t))), ['a', 'b']);
});

const answers: ReadonlyArray<
  readonly [
    claim: string,
    status: number,
    headers: Record<string, string>,
    body: string,
    expected: unknown,
  ]
> = [
  [
    'an open registry',
    200,
    { 'content-type': 'application/json' },
    '{}',
    { kind: 'registry', auth: 'none' },
  ],
  [
    'one that wants a password',
    401,
    { 'www-authenticate': 'Basic realm="x"' },
    '',
    { kind: 'registry', auth: 'basic' },
  ],
  [
    'one that wants a token',
    401,
    { 'www-authenticate': 'Bearer realm="https://t/token"' },
    '',
    { kind: 'registry', auth: 'bearer', realm: 'https://t/token' },
  ],
  [
    'one that wants something else',
    401,
    { 'www-authenticate': 'Negotiate' },
    '',
    { kind: 'registry', auth: 'other' },
  ],
  [
    'one that is known by its header only',
    404,
    { 'docker-distribution-api-version': 'registry/2.0' },
    '',
    { kind: 'registry', auth: 'none' },
  ],
  [
    'a web page',
    200,
    { 'content-type': 'text/html' },
    '<!DOCTYPE html><title>Harbor</title>',
    { kind: 'html', status: 200, title: 'Harbor' },
  ],
  [
    'something else',
    200,
    { 'content-type': 'text/plain' },
    'hello',
    { kind: 'strange', status: 200, contentType: 'text/plain' },
  ],
  ['an empty 404', 404, {}, '', { kind: 'strange', status: 404 }],
];

for (const [claim, status, headers, body, expected] of answers) {
  test(`asked what it is, ${claim} is told apart`, async (t) => {
    const server = await startFakeServer(t, (_request, response) =>
      response.writeHead(status, headers).end(body),
    );

    assert.deepEqual(await openClient(t, server.url).ping(testRun(t)), expected);
  });
}
