/** What every writable catalogue of repositories has to do. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { digestOf } from '../../oci/digest.ts';
import { MediaTypes } from '../../oci/media-types.ts';
import type { ManifestEntry, RepositoryStore } from './ports.ts';

const blob = digestOf('blob');
const subject = digestOf('subject', 'sha512');

function entryFor(text: string, about = false): ManifestEntry {
  const annotations = { text };
  const mediaType = MediaTypes.ociManifest;
  const descriptor = { mediaType, digest: digestOf(text), size: text.length, annotations };
  return { descriptor, ...(about && { subject }) };
}

/** Runs the contract as tests; `name` begins their names, `open` gives an empty catalogue. */
export function repositoriesContract(
  name: string,
  open: (t: TestContext) => Promise<RepositoryStore>,
): void {
  const [a, b] = [entryFor('a'), entryFor('b', true)];

  test(`${name}: what was never written is not there`, async (t) => {
    const store = await open(t);

    assert.deepEqual(await store.repositories(), []);
    assert.equal(await store.tags('app'), undefined);
    assert.deepEqual(await store.manifests('app'), []);
    assert.equal(await store.resolve('app', 'v1'), undefined);
    assert.equal(await store.findManifest('app', a.descriptor.digest), undefined);
    assert.equal(await store.holdsBlob('app', blob), false);
    assert.deepEqual(await store.referrers('app', subject), []);
    assert.equal(await store.unlinkBlob('app', blob), false);
    assert.equal(await store.removeManifest('app', blob), false);
    assert.equal(await store.removeTag('app', 'v1'), false);
  });

  test(`${name}: each repository holds only its own`, async (t) => {
    const store = await open(t);

    await store.linkBlob('team/app', blob);
    await store.putManifest('team', a);

    assert.equal(await store.holdsBlob('team/app', blob), true);
    assert.equal(await store.holdsBlob('team', blob), false);
    assert.equal(await store.findManifest('team/app', a.descriptor.digest), undefined);
    assert.deepEqual(await store.findManifest('team', a.descriptor.digest), a);
    assert.deepEqual(await store.repositories(), ['team', 'team/app']);
  });

  test(`${name}: names come in ASCII order`, async (t) => {
    const store = await open(t);
    for (const name of ['b', 'a-b', 'a/b', 'a', 'a0']) await store.linkBlob(name, blob);
    for (const tag of ['v1.10', 'Z', 'v1.9', '_x', 'a']) await store.setTag('a', tag, blob);

    assert.deepEqual(await store.repositories(), ['a', 'a-b', 'a/b', 'a0', 'b']);
    assert.deepEqual(await store.tags('a'), ['Z', '_x', 'a', 'v1.10', 'v1.9']);
    assert.deepEqual(await store.tags('b'), []);
  });

  test(`${name}: a tag moves, and goes alone`, async (t) => {
    const store = await open(t);
    await store.putManifest('app', a);
    await store.setTag('app', 'v1', a.descriptor.digest);
    await store.setTag('app', 'v1', b.descriptor.digest);

    assert.equal(await store.resolve('app', 'v1'), b.descriptor.digest);
    assert.equal(await store.removeTag('app', 'v1'), true);
    assert.equal(await store.resolve('app', 'v1'), undefined);
    assert.deepEqual(await store.findManifest('app', a.descriptor.digest), a);
  });

  test(`${name}: a removed manifest takes its tags and its place among the referrers`, async (t) => {
    const store = await open(t);
    await store.putManifest('app', a);
    await store.putManifest('app', b);
    await store.setTag('app', 'a', a.descriptor.digest);
    await store.setTag('app', 'b1', b.descriptor.digest);
    await store.setTag('app', 'b2', b.descriptor.digest);
    assert.equal(await store.resolve('app', 'b1'), b.descriptor.digest);

    assert.equal(await store.removeManifest('app', b.descriptor.digest), true);

    assert.equal(await store.findManifest('app', b.descriptor.digest), undefined);
    assert.equal(await store.resolve('app', 'b1'), undefined);
    assert.deepEqual(await store.tags('app'), ['a']);
    assert.deepEqual(await store.referrers('app', subject), []);
    assert.deepEqual(await store.manifests('app'), [a.descriptor]);
  });

  test(`${name}: referrers are listed by digest, each once, in their repository`, async (t) => {
    const store = await open(t);
    const entries = ['x', 'y', 'z'].map((text) => entryFor(text, true));
    for (const entry of [...entries, ...entries, a]) await store.putManifest('app', entry);

    const found = await store.referrers('app', subject);

    const wanted = entries.map((entry) => entry.descriptor);
    wanted.sort((one, two) => (one.digest < two.digest ? -1 : 1));
    assert.deepEqual(found, wanted);
    assert.deepEqual(await store.referrers('other', subject), []);
  });

  test(`${name}: writing twice and from several sides changes nothing`, async (t) => {
    const store = await open(t);

    await Promise.all([store.linkBlob('app', blob), store.linkBlob('app', blob)]);
    await Promise.all([store.putManifest('app', a), store.putManifest('app', a)]);
    await Promise.all([a, b, a].map((entry) => store.setTag('app', 'v1', entry.descriptor.digest)));

    assert.equal(await store.resolve('app', 'v1'), a.descriptor.digest);
    assert.deepEqual(await store.manifests('app'), [a.descriptor]);
    assert.equal(await store.unlinkBlob('app', blob), true);
    assert.equal(await store.holdsBlob('app', blob), false);
  });
}
