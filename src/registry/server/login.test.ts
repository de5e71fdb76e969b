import assert from 'node:assert/strict';
import test from 'node:test';
import { type Answer, sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { MemoryStore } from '../../content/memory-store.ts';
import { MemoryRepositories } from './memory-repositories.ts';
import { startRegistryServer } from './server.ts';

const users = { ann: 'pass:word ä' };
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const right = basic('ann:pass:word ä');

function ask(url: string, method: string, authorization?: string, path = '/v2/'): Promise<Answer> {
  const headers = authorization === undefined ? {} : { authorization };
  return sendRequest(url, { method, path, headers });
}

for (const [what, authorization] of [
  ['no login', undefined],
  ['a wrong password', basic('ann:password')],
  ['an unknown user', basic('bob:pass:word ä')],
  ['no password', basic('ann')],
  ['an empty login', basic(':')],
  ['something that is not base64', 'Basic ???'],
  ['another scheme', 'Bearer abc'],
] as const) {
  test(`${what} is answered 401 with a challenge`, async (t) => {
    const registry = await startRegistry(t, { users });

    for (const path of ['/v2/', '/v2/_catalog', '/v2/app/manifests/v1']) {
      const answer = await ask(registry.url, 'GET', authorization, path);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers['www-authenticate'], 'Basic realm="slipway", charset="UTF-8"');
      assert.match(answer.text, /UNAUTHORIZED/);
    }
  });
}

test('the right login may read and write', async (t) => {
  const registry = await startRegistry(t, { users });

  assert.equal((await ask(registry.url, 'GET', right)).status, 200);
  const upload = await ask(registry.url, 'POST', right, '/v2/app/blobs/uploads/');
  assert.equal(upload.status, 202);
});

test('with anonymous reading, reads are free and writes are not', async (t) => {
  const registry = await startRegistry(t, { users, anonymousRead: true });
  const uploads = '/v2/app/blobs/uploads/';

  for (const authorization of [undefined, basic(':'), right]) {
    assert.equal((await ask(registry.url, 'GET', authorization, '/v2/_catalog')).status, 200);
    assert.equal((await ask(registry.url, 'HEAD', authorization)).status, 200);
  }
  assert.equal((await ask(registry.url, 'POST', undefined, uploads)).status, 401);
  assert.equal((await ask(registry.url, 'DELETE', basic(':'), '/v2/app/manifests/v1')).status, 401);
  assert.equal((await ask(registry.url, 'POST', right, uploads)).status, 202);
  // A wrong login is wrong, also where none is needed: `docker login` asks here.
  assert.equal((await ask(registry.url, 'GET', basic('ann:wrong'))).status, 401);
  // skopeo looks for the challenge in whatever /v2/ answers.
  assert.match(String((await ask(registry.url, 'GET')).headers['www-authenticate']), /^Basic/);
});

test('with a challenge on /v2/, clients that look only there can log in', async (t) => {
  const logins = { verify: async () => true };
  const login = { logins, anonymousRead: true, challengeOnPing: true, realm: 'plant 7' };
  const content = new MemoryStore();
  const repositories = new MemoryRepositories();
  const storage = { access: 'read-write', content, repositories } as const;
  const server = await startRegistryServer({ storage, login }, testRun(t));
  t.after(() => server.stop());

  const ping = await ask(server.url, 'GET');
  assert.equal(ping.status, 401);
  assert.equal(ping.headers['www-authenticate'], 'Basic realm="plant 7", charset="UTF-8"');
  assert.equal((await ask(server.url, 'GET', undefined, '/v2/_catalog')).status, 200);
});

test('the access log names the user and never the password', async (t) => {
  const registry = await startRegistry(t, { users });

  await ask(registry.url, 'GET', right);
  await ask(registry.url, 'GET', basic('ann:wrong'));

  assert.deepEqual(
    registry.log.map(({ user, status }) => [user, status]),
    [
      ['ann', 200],
      [undefined, 401],
    ],
  );
  assert.doesNotMatch(JSON.stringify(registry.log), /wrong|pass|Basic|YW5u/);
});

test('more logins at a time than can be checked are told to come back', async (t) => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const login = { logins: { verify: () => promise } };
  const content = new MemoryStore();
  const repositories = new MemoryRepositories();
  const storage = { access: 'read-write', content, repositories } as const;
  const server = await startRegistryServer({ storage, login }, testRun(t));
  t.after(() => server.stop());
  const waiting = Array.from({ length: 65 }, (_, index) =>
    ask(server.url, 'GET', basic(`user${index}:x`)),
  );

  const first = await Promise.race(waiting);
  resolve(true);
  const statuses = (await Promise.all(waiting)).map((answer) => answer.status);

  assert.equal(first.status, 429);
  assert.equal(first.headers['retry-after'], '1');
  assert.equal(statuses.filter((status) => status === 200).length, 64);
});
