import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type FakeRequest, sendJson, startFakeServer } from '../../test/support/fake-server.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import {
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { sendRequest } from '../../test/support/send-request.ts';
import { startRegistry } from '../../test/support/start-registry.ts';

interface TokenCall {
  readonly method: string;
  readonly login: string | undefined;
  readonly fields: URLSearchParams;
}

/** A registry whose challenge names a scope of its own, and its token server in one. */
async function proveWithTokens(
  t: TestContext,
  login: string,
  answer: (call: TokenCall) => readonly [status: number, body: unknown],
) {
  const behind = await startRegistry(t);
  await fillRegistry(behind, sampleLock());
  const calls: TokenCall[] = [];
  const registry = await startFakeServer(t, async (request: FakeRequest, response) => {
    const { method, path, headers } = request;
    if (path.startsWith('/token')) {
      const text = method === 'POST' ? (await request.body()).toString() : path.split('?')[1];
      const call = { method, login: headers.authorization, fields: new URLSearchParams(text) };
      calls.push(call);
      const [status, body] = answer(call);
      return sendJson(response, status, body);
    }
    if (headers.authorization === 'Bearer good') {
      const whole = await sendRequest(behind.url, { method, path });
      return response.writeHead(whole.status, whole.headers).end(whole.bytes);
    }
    const realm = `http://${headers.host}/token`;
    const challenge = `Bearer realm="${realm}",service="s",scope="repository:platform/pause:pull"`;
    return response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  const table = `[plugins."io.containerd.cri.v1.images".registry.configs."${registry.host}".auth]`;
  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url), registrySettings: `${table}\n${login}` },
  });
  return { kind: verdictOn(report, sampleImages.pause).kind, calls };
}

const password = 'username = "ann"\npassword = "secret"';
const good = [200, { access_token: 'good' }] as const;

test('a password goes to the token server by POST, with the scope of the image and of the challenge', async (t) => {
  const { kind, calls } = await proveWithTokens(t, password, () => good);

  assert.equal(kind, 'proven');
  const forms = calls.map(({ method, fields }) => [method, fields.get('scope')]);
  assert.deepEqual(
    forms.find(([, scope]) => scope?.startsWith('repository:pause')),
    ['POST', 'repository:pause:pull repository:platform/pause:pull'],
  );
  assert.equal(calls[0]?.fields.get('grant_type'), 'password');
  assert.equal(calls[0]?.fields.get('password'), 'secret');
});

for (const [status, isProven] of [
  [400, true],
  [401, true],
  [404, true],
  [405, true],
  [403, false],
  [415, false],
] as const) {
  test(`after ${status} to POST a token is ${isProven ? '' : 'not '}asked for by GET`, async (t) => {
    const { kind } = await proveWithTokens(t, password, ({ method, login }) =>
      method === 'GET' && login !== undefined ? [200, { token: 'good' }] : [status, {}],
    );

    assert.equal(kind === 'proven', isProven);
  });
}

test('a POST that is answered with the field token only gives none', async (t) => {
  const { kind } = await proveWithTokens(t, password, () => [200, { token: 'good' }]);

  assert.notEqual(kind, 'proven');
});

test('an identity token goes by POST as a refresh token', async (t) => {
  const { kind, calls } = await proveWithTokens(t, 'identitytoken = "secret"', ({ fields }) =>
    fields.get('refresh_token') === 'secret' ? good : [401, {}],
  );

  assert.equal(kind, 'proven');
  assert.equal(calls[0]?.fields.get('grant_type'), 'refresh_token');
});

test('a user without a password asks for tokens like anybody', async (t) => {
  const { kind, calls } = await proveWithTokens(t, 'username = "ann"', () => good);

  assert.equal(kind, 'proven');
  assert.ok(calls.every(({ method, login }) => method === 'GET' && login === undefined));
});
