import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../../oci/digest.ts';
import { type CachedManifest, ManifestCache } from './manifest-cache.ts';

const kilobyte = 1024;

function manifestOf(text: string, sizeBytes = kilobyte - 512): CachedManifest {
  return { mediaType: 'text/x', digest: digestOf(text), bytes: Buffer.alloc(sizeBytes) };
}

test('the manifests used last are kept within the limit, the others go', () => {
  const cache = new ManifestCache(32 * kilobyte);
  const manifests = Array.from({ length: 40 }, (_, index) => manifestOf(String(index)));
  const [first] = manifests;
  assert.ok(first);

  for (const manifest of manifests) {
    cache.keep('app', manifest, cache.age);
    cache.get('app', first.digest);
  }

  const kept = manifests.filter(({ digest }) => cache.get('app', digest) !== undefined);
  assert.equal(kept.length, 32);
  assert.ok(kept.includes(first));
  assert.ok(kept.includes(manifests[39] ?? first));
});

test('a manifest that would push out many others is not kept', () => {
  const cache = new ManifestCache(32 * kilobyte);
  const big = manifestOf('big', 3 * kilobyte);

  cache.keep('app', big, cache.age);

  assert.equal(cache.get('app', big.digest), undefined);
});

test('a manifest is known in its repository only, until it is forgotten', () => {
  const cache = new ManifestCache(32 * kilobyte);
  const manifest = manifestOf('a');
  cache.keep('app', manifest, cache.age);
  cache.keep('app', manifest, cache.age);

  assert.equal(cache.get('other', manifest.digest), undefined);
  assert.equal(cache.get('app', manifest.digest), manifest);
  cache.forget('app', manifest.digest);
  assert.equal(cache.get('app', manifest.digest), undefined);
});

test('what was read before a delete is not kept after it', () => {
  const cache = new ManifestCache(32 * kilobyte);
  const manifest = manifestOf('a');
  const { age } = cache;

  cache.forget('app', manifest.digest);
  cache.keep('app', manifest, age);

  assert.equal(cache.get('app', manifest.digest), undefined);
});
