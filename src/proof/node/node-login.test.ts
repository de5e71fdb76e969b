import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryNode, onlyServer } from '../../../test/support/memory-node.ts';
import { passwordOf } from '../../../test/support/open-client.ts';
import type { PullEndpoint } from '../../mirrors/pull-chain.ts';
import { Secret } from '../../shared/secret.ts';
import { loginAt, userOf } from './node-login.ts';

const pullSecret = { credential: passwordOf('pod', 'x'), from: 'the pull secret' };

async function endpointAt(host: string): Promise<PullEndpoint> {
  const node = await memoryNode({ hosts: { 'quay.io': onlyServer(`https://${host}`) } });
  const chain = await node.pullChain('quay.io/a:1');
  assert.ok(chain.kind === 'endpoints');
  const [endpoint] = chain.endpoints;
  assert.ok(endpoint !== undefined);
  const origin = { file: '/etc/containers/auth.json', line: 3 };
  return { ...endpoint, login: { username: 'node', secret: new Secret('y'), origin } };
}

const table: ReadonlyArray<
  readonly [host: string, goesTo: 'every endpoint' | 'the registry', user: string]
> = [
  ['mirror.example', 'every endpoint', 'pod'],
  ['mirror.example', 'the registry', 'node'],
  ['quay.io', 'the registry', 'pod'],
];

for (const [host, goesTo, user] of table) {
  test(`where pull secrets go to ${goesTo}, ${host} sees the login of the ${user}`, async () => {
    const login = loginAt(await endpointAt(host), { pullSecret, registryHost: 'quay.io', goesTo });

    assert.equal(login && userOf(login), user);
  });
}
