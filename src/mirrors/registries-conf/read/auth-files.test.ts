import assert from 'node:assert/strict';
import test from 'node:test';
import { openNode } from '../../../../test/support/open-node.ts';
import { loginOf } from '../../explain/endpoint-facts.ts';
import { memoryTree } from '../../memory-tree.ts';

const auth = Buffer.from('ann:secret').toString('base64');
const files = {
  '/run/containers/0/auth.json': `{
 "credHelpers": { "quay.io": "pass" }
}`,
  '/root/.docker/config.json': `{ "auths": { "quay.io": { "auth": "${auth}" } } }`,
};

async function endpointAt(name: string, more: Readonly<Record<string, string>> = {}) {
  const tree = memoryTree({ ...files, ...more });
  const node = await openNode(tree, { name: 'podman', version: '5.6.0' });
  const chain = await node.pullChain(name);
  assert.equal(chain.kind, 'endpoints');
  const [endpoint] = chain.endpoints;
  assert.ok(endpoint);
  return { endpoint, chain, login: loginOf(endpoint, chain) };
}

test('a program of credHelpers is asked before the files behind it, with an answer that nobody knows', async () => {
  const { endpoint, chain, login } = await endpointAt('quay.io/org/app:1');

  const program = 'docker-credential-pass';
  const origin = { file: '/run/containers/0/auth.json', line: 2, column: 19 };
  assert.deepEqual(endpoint.loginPrograms, [{ program, origin }]);
  assert.equal(endpoint.login?.username, 'ann');
  assert.deepEqual(login, { from: 'program', program, origin });
  assert.match(
    chain.skipped.map(({ because }) => because).join(),
    /docker-credential-pass is asked/,
  );
});

test('other registries have no program', async () => {
  const { endpoint, login } = await endpointAt('docker.io/library/busybox:1');

  assert.equal(endpoint.loginPrograms, undefined);
  assert.notEqual(login.from, 'program');
});

test('a helper behind the login files is not asked where these have a login', async () => {
  const helpers = {
    '/etc/containers/registries.conf': 'credential-helpers = ["containers-auth.json", "x"]\n',
  };
  const own = {
    '/run/containers/0/auth.json': `{ "auths": { "quay.io": { "auth": "${auth}" } } }`,
  };

  const known = await endpointAt('quay.io/org/app:1', { ...helpers, ...own });
  const unknown = await endpointAt('docker.io/library/busybox:1', { ...helpers, ...own });

  assert.equal(known.endpoint.loginPrograms, undefined);
  assert.deepEqual(unknown.endpoint.loginPrograms, [
    { program: 'docker-credential-x', origin: { file: '/etc/containers/registries.conf' } },
  ]);
});

test('bad base64 is told with the byte at which Go stops', async () => {
  const tree = memoryTree({
    '/root/.docker/config.json': '{ "auths": { "quay.io": { "auth": "dTpw=" } } }',
  });
  const node = await openNode(tree, { name: 'podman', version: '5.6.0' });

  const chain = await node.pullChain('quay.io/org/app:1');

  const error = 'getting username and password: illegal base64 data at input byte 4';
  assert.equal(chain.kind === 'refused' && chain.error, error);
});
