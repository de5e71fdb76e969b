import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryNode, onlyServer } from '../../test/support/memory-node.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import type { NodeRules } from '../mirrors/pull-chain.ts';
import { requiredImages } from './required-images.ts';
import { RepositoryWays } from './ways-to-ask.ts';

function pauseImage() {
  const image = requiredImages(sampleLock().lock, undefined).find(({ name }) => /pause/.test(name));
  assert.ok(image !== undefined);
  return image;
}

/** A node that asks another mirror for digests than for tags, as registries.conf can say it. */
async function digestMirror(): Promise<NodeRules> {
  const [byTag, byDigest] = await Promise.all(
    ['tags.example', 'digests.example'].map((host) =>
      memoryNode({ hosts: { 'registry.k8s.io': onlyServer(`https://${host}`) } }),
    ),
  );
  assert.ok(byTag !== undefined && byDigest !== undefined);
  return {
    ...byTag,
    pullChain: (name) => (name.includes('@') ? byDigest : byTag).pullChain(name),
  };
}

test('an image is asked for by its digest too where that leads elsewhere', async () => {
  const ways = await new RepositoryWays(await digestMirror()).of(pauseImage());

  const seen = ways.map(({ chain, how, image }) => [
    chain.kind === 'endpoints' && chain.endpoints[0]?.host,
    how,
    image.reference.tag,
  ]);
  assert.deepEqual(seen, [
    ['tags.example', undefined, '3.9'],
    ['digests.example', 'by digest', undefined],
  ]);
});

test('one way is enough where both lead to the same endpoints', async () => {
  const rules = await memoryNode({ hosts: { 'registry.k8s.io': onlyServer('https://m.example') } });

  assert.equal((await new RepositoryWays(rules).of(pauseImage())).length, 1);
});
