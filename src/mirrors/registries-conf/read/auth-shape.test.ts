import assert from 'node:assert/strict';
import test from 'node:test';
import { nodePullChain } from '../../../../test/support/node-chain.ts';
import { memoryTree } from '../../memory-tree.ts';
import { wrongTypeIn } from './auth-shape.ts';

const table: ReadonlyArray<readonly [file: unknown, isOld: boolean, wrong: string | undefined]> = [
  [{ auths: { 'quay.io': { auth: 1 } } }, false, 'auths.quay.io.auth is no text'],
  [{ auths: { 'quay.io': 'x' } }, false, 'auths.quay.io is no JSON object'],
  [{ AUTHS: [] }, false, 'AUTHS is no JSON object'],
  [{ credHelpers: { 'quay.io': 1 } }, false, 'credHelpers.quay.io is no text'],
  [[], false, 'the text is no JSON object'],
  [{ 'quay.io': { auth: [] } }, true, 'quay.io.auth is no text'],
  [{ auths: null, other: 1 }, false, undefined],
  [{ auths: { 'quay.io': { auth: null, email: 1 } } }, false, undefined],
];

for (const [file, isOld, wrong] of table) {
  test(`in a login file ${JSON.stringify(file)}: ${wrong ?? 'nothing is wrong'}`, () => {
    assert.equal(wrongTypeIn(file, isOld), wrong);
  });
}

test('a login file with a value of a wrong type lets no place be asked, of any registry', async () => {
  const tree = memoryTree({ '/run/containers/0/auth.json': '{"auths":{"quay.io":{"auth":1}}}' });

  const chain = await nodePullChain(tree, { name: 'cri-o', version: '1.34.0' }, 'ghcr.io/a:1');

  assert.match(
    JSON.stringify([chain.findings, chain.skipped, chain]),
    /auths\.quay\.io\.auth is no text/,
  );
  const asked = chain.kind === 'endpoints' ? chain.endpoints.filter((one) => one.reachable) : [];
  assert.deepEqual(asked, []);
});
