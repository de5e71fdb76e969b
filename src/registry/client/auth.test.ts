import assert from 'node:assert/strict';
import test from 'node:test';
import { sendError, startFakeServer } from '../../../test/support/fake-server.ts';
import { startFakeTokenRegistry } from '../../../test/support/fake-token-registry.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import { openClient, passwordOf } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { describeError } from '../../shared/errors.ts';
import { withSignal } from '../../shared/run.ts';
import { Secret } from '../../shared/secret.ts';

const ann = passwordOf('ann', 'secret');
const digest = digestOf('blob');

test('a token is fetched with Basic credentials for the scope of the request', async (t) => {
  const { registry, tokens, granted } = await startFakeTokenRegistry(t);
  const client = openClient(t, registry.url, { credential: ann });

  const size = await client.repository('team/app').find(digest, testRun(t));

  assert.equal(size, 2);
  assert.deepEqual(granted, [['repository:team/app:pull']]);
  assert.match(tokens.requests[0]?.path ?? '', /service=fake%2C\+registry/);
});

test('the second request carries its token at once, and the token is fetched once', async (t) => {
  const { registry, granted } = await startFakeTokenRegistry(t);
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  await repository.find(digest, testRun(t));
  await repository.find(digest, testRun(t));

  assert.equal(granted.length, 1);
  assert.deepEqual(
    registry.requests.map(({ headers }) => headers.authorization !== undefined),
    [false, true, true],
  );
});

test('another repository gets its own token without being asked first', async (t) => {
  const { registry, granted } = await startFakeTokenRegistry(t);
  const client = openClient(t, registry.url, { credential: ann });

  await client.repository('one').find(digest, testRun(t));
  await client.repository('two').find(digest, testRun(t));

  assert.deepEqual(granted, [['repository:one:pull'], ['repository:two:pull']]);
  assert.equal(registry.requests.length, 3);
});

test('many requests at the same time fetch one token', async (t) => {
  const { registry, granted } = await startFakeTokenRegistry(t);
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  await Promise.all(Array.from({ length: 8 }, () => repository.find(digest, testRun(t))));

  assert.equal(granted.length, 1);
});

test('when the one who fetches the token gives up, the others go on', async (t) => {
  const abort = new AbortController();
  let calls = 0;
  const { registry } = await startFakeTokenRegistry(t, {
    refuseToken: () => {
      calls += 1;
      if (calls === 1) abort.abort(new Error('first gave up'));
      return calls === 1;
    },
  });
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  const first = repository.find(digest, withSignal(testRun(t), abort.signal));
  const second = repository.find(digest, testRun(t));

  await assert.rejects(first, /first gave up/);
  assert.equal(await second, 2);
});

test('a mount asks for a token for both repositories', async (t) => {
  const { registry, granted } = await startFakeTokenRegistry(t, {
    inner: (_request, response) => response.writeHead(201).end(),
  });
  const repository = openClient(t, registry.url, { credential: ann }).repository('to');

  const mounted = await repository.mount({ digest, size: 4 }, 'reg.test/from', testRun(t));

  assert.equal(mounted, true);
  assert.deepEqual(granted, [['repository:from:pull', 'repository:to:pull,push']]);
});

test('a token that will expire soon is renewed before it does', async (t) => {
  const world = fakeWorld();
  const { registry, granted } = await startFakeTokenRegistry(t, { lifetimeSeconds: 100 });
  const settings = world.settings();
  const repository = openClient(t, registry.url, { credential: ann, settings }).repository('app');
  await repository.find(digest, testRun(t));

  world.advance(95_000);
  await repository.find(digest, testRun(t));

  assert.equal(granted.length, 2);
  // Renewed without having been refused once more.
  assert.equal(registry.requests.length, 3);
});

test('a token that the registry no longer accepts is replaced', async (t) => {
  const { registry, granted, revoke } = await startFakeTokenRegistry(t);
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');
  await repository.find(digest, testRun(t));

  revoke();

  assert.equal(await repository.find(digest, testRun(t)), 2);
  assert.equal(granted.length, 2);
});

test('a token that runs out during an upload costs a second beginning, not the upload', async (t) => {
  const bytes = Buffer.alloc(300 * 1024, 'layer');
  let sessions = 0;
  const { registry, granted, revoke } = await startFakeTokenRegistry(t, {
    inner: async (request, response) => {
      await request.body();
      if (request.method === 'HEAD') return response.writeHead(404).end();
      if (request.method === 'PUT') return response.writeHead(201).end();
      sessions += request.method === 'POST' ? 1 : 0;
      if (sessions === 1) revoke();
      return response.writeHead(202, { location: '/v2/app/blobs/uploads/1' }).end();
    },
  });
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  await repository.put({ digest: digestOf(bytes), size: bytes.length }, bytesOf(bytes), testRun(t));

  assert.equal(sessions, 2);
  assert.deepEqual(granted.at(-1), ['repository:app:pull,push']);
});

test('a token server that calls the token access_token is understood', async (t) => {
  const { registry } = await startFakeTokenRegistry(t, { field: 'access_token' });
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  assert.equal(await repository.find(digest, testRun(t)), 2);
});

test('an identity token is exchanged by POST', async (t) => {
  const { registry, tokens } = await startFakeTokenRegistry(t);
  const credential = { kind: 'identity-token', token: new Secret('identity') } as const;
  const repository = openClient(t, registry.url, { credential }).repository('app');

  assert.equal(await repository.find(digest, testRun(t)), 2);
  assert.deepEqual(tokens.asked, ['POST /token']);
});

test('without credentials an anonymous token is fetched', async (t) => {
  const { registry } = await startFakeTokenRegistry(t, { anonymous: true });
  const repository = openClient(t, registry.url).repository('app');

  assert.equal(await repository.find(digest, testRun(t)), 2);
});

test('of several challenges the one that can be answered is chosen', async (t) => {
  const otherChallenges = 'Negotiate, Basic realm="a, b"';
  const { registry } = await startFakeTokenRegistry(t, { otherChallenges });
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  assert.equal(await repository.find(digest, testRun(t)), 2);
});

test('a raw request without scopes gets a token for what the challenge names', async (t) => {
  const { registry, granted } = await startFakeTokenRegistry(t);
  const client = openClient(t, registry.url, { credential: ann });
  const url = new URL(`${registry.url}/v2/app/manifests/v1`);

  const response = await client.transport.request({ method: 'GET', url }, testRun(t));
  await response.discard();

  assert.equal(response.status, 200);
  assert.deepEqual(granted, [['repository:app:pull']]);
});

test('a request that shall not authenticate gets the challenge itself', async (t) => {
  const { registry, tokens } = await startFakeTokenRegistry(t);
  const client = openClient(t, registry.url, { credential: ann });
  const url = new URL(`${registry.url}/v2/app/manifests/v1`);

  const request = { method: 'GET', url, authenticate: false } as const;
  const response = await client.transport.request(request, testRun(t));
  await response.discard();

  assert.equal(response.status, 401);
  assert.deepEqual(tokens.asked, []);
});

test('a wrong password names the token server and the user, not the password', async (t) => {
  const { registry, tokens } = await startFakeTokenRegistry(t);
  const credential = passwordOf('ann', 'wrong-password');
  const repository = openClient(t, registry.url, { credential }).repository('app');

  await assert.rejects(repository.find(digest, testRun(t)), (error: Error) => {
    assert.equal('code' in error && error.code, 'REGISTRY_UNAUTHORIZED');
    assert.match(
      error.message,
      new RegExp(`${tokens.host}.*user ann.*reg.test|reg.test.*user ann`),
    );
    assert.doesNotMatch(describeError(error), /wrong-password/);
    return true;
  });
});

test('a 401 to the end tells of missing credentials and of missing Harbor projects', async (t) => {
  const server = await startFakeServer(t, (_request, response) =>
    sendError(response, 401, 'UNAUTHORIZED', { 'www-authenticate': 'Basic realm="harbor"' }),
  );
  const repository = openClient(t, server.url).repository('missing/app');

  await assert.rejects(repository.fetchManifest('v1', testRun(t)), (error: Error) => {
    assert.match(error.message, /refuses access without credentials for reading the manifest v1/);
    assert.match(String('fix' in error && error.fix), /Harbor.*project does not exist/);
    return true;
  });
});

test('Basic credentials are sent once asked for, then with every request', async (t) => {
  const wanted = `Basic ${Buffer.from('ann:secret').toString('base64')}`;
  const server = await startFakeServer(t, (request, response) => {
    if (request.headers.authorization === wanted) {
      response.writeHead(200, { 'content-length': '2' }).end();
    } else sendError(response, 401, 'UNAUTHORIZED', { 'www-authenticate': 'Basic realm="x"' });
  });
  const repository = openClient(t, server.url, { credential: ann }).repository('app');

  await repository.find(digest, testRun(t));
  await repository.find(digest, testRun(t));

  assert.deepEqual(
    server.requests.map(({ headers }) => headers.authorization),
    [undefined, wanted, wanted],
  );
});

test('a refused password is not sent again for the same request', async (t) => {
  const server = await startFakeServer(t, (_request, response) =>
    sendError(response, 401, 'UNAUTHORIZED', { 'www-authenticate': 'Basic realm="x"' }),
  );
  const repository = openClient(t, server.url, { credential: ann }).repository('app');

  await assert.rejects(repository.find(digest, testRun(t)), { code: 'REGISTRY_UNAUTHORIZED' });

  assert.equal(server.requests.length, 2);
});

test('a registry that speaks only foreign schemes is named', async (t) => {
  const server = await startFakeServer(t, (_request, response) =>
    sendError(response, 401, 'UNAUTHORIZED', { 'www-authenticate': 'Negotiate' }),
  );
  const repository = openClient(t, server.url, { credential: ann }).repository('app');

  await assert.rejects(repository.find(digest, testRun(t)), {
    code: 'REGISTRY_AUTH_UNUSABLE',
    message: /negotiate/,
  });
});

test('a token server without a token in its answer is named', async (t) => {
  const { registry, tokens } = await startFakeTokenRegistry(t, {
    refuseToken: (_request, response) => Boolean(response.writeHead(200).end('{}')),
  });
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');

  await assert.rejects(repository.find(digest, testRun(t)), {
    code: 'REGISTRY_AUTH_UNUSABLE',
    message: new RegExp(`${tokens.host} answers without a token`),
  });
});

test('headers for the token server go there only, and a login wins over one of its name', async (t) => {
  const { registry, tokens } = await startFakeTokenRegistry(t);
  const tokenHeaders = new Map([
    ['x-site', new Secret('plant-7')],
    ['authorization', new Secret('Basic other')],
  ]);
  const client = openClient(t, registry.url, { credential: ann, tokenHeaders });

  await client.repository('app').find(digest, testRun(t));

  assert.equal(tokens.requests[0]?.headers['x-site'], 'plant-7');
  assert.match(tokens.requests[0]?.headers.authorization ?? '', /^Basic YW5u/);
  assert.deepEqual(
    new Set(registry.requests.map(({ headers }) => headers['x-site'])),
    new Set([undefined]),
  );
});
