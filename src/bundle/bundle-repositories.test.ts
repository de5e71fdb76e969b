import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { bundleRepositories } from './bundle-repositories.ts';

const { lock } = sampleLock();
const [app, pause] = lock.spec.images;

test('a bundle has the repositories that loading it would make, with every manifest and its type', () => {
  const served = bundleRepositories(lock, 'main', {
    address: 'h.example/p',
    publish: ['keep-path', 'flat'],
  });

  assert.deepEqual(
    served.map(({ repository, tags }) => [repository, tags]),
    [
      ['p/app', { v1: app?.target.digest }],
      ['p/metrics', { '1.0.0': lock.spec.charts[0]?.manifest.digest }],
      ['p/openfuyao/app', { v1: app?.target.digest }],
      ['p/openfuyao/charts/metrics', { '1.0.0': lock.spec.charts[0]?.manifest.digest }],
      ['p/pause', { '3.9': pause?.target.digest }],
    ],
  );
  const manifests = app?.platforms.map(({ manifest }) => manifest.digest) ?? [];
  const [first] = served;
  for (const digest of manifests) {
    assert.ok(first?.digests.includes(digest));
    assert.equal(first?.mediaTypes?.get(digest), 'application/vnd.oci.image.manifest.v1+json');
  }
});

test('two images under one name are refused before anything is served', () => {
  const twin = { ...lock.spec.images[1], name: 'quay.io/pause:3.9', target: app?.target };
  const both = {
    ...lock,
    // The twin is an image of the sample with another name and target.
    spec: { ...lock.spec, images: [...lock.spec.images, twin as (typeof lock.spec.images)[0]] },
  };

  assert.throws(() => bundleRepositories(both, 'this one', { address: '127.0.0.1:5000' }), {
    code: 'PUBLISH_COLLISION',
  });
});
