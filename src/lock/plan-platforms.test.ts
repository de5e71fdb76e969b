import assert from 'node:assert/strict';
import test from 'node:test';
import {
  amd64,
  arm64,
  both,
  imageFor,
  images,
  plan,
  World,
} from '../../test/support/plan-world.ts';
import { digestOf } from '../oci/digest.ts';
import { buildChart, buildImage, buildIndex } from '../oci/image-builder.ts';
import { formatLock, readLock } from '../release/lock-document.ts';

test('a subset of the platforms keeps the index and says that it is sparse (P1)', async (t) => {
  const world = new World();
  const index = both('app');
  await world.at('quay.io/a/b').push('1', index);
  const spec = `  components:
    - name: app
      images: [{ref: "quay.io/a/b:1", platforms: [linux/arm64]}]
`;

  const lock = await plan(t, spec, world);

  const [image] = lock.spec.images;
  assert.equal(image?.target.digest, index.descriptor.digest);
  assert.equal(image.sparse, true);
  assert.deepEqual(
    image.platforms.map(({ platform }) => platform),
    ['linux/arm64'],
  );
});

test('attestations of chosen images travel along, so that all platforms are not sparse', async (t) => {
  const world = new World();
  const image = imageFor(amd64, 'app');
  const other = imageFor(arm64, 'app');
  const statement = buildImage({ layers: [Buffer.from('{}')], platform: amd64 });
  const attestation = {
    ...statement,
    descriptor: {
      ...statement.descriptor,
      platform: { os: 'unknown', architecture: 'unknown' },
      annotations: {
        'vnd.docker.reference.type': 'attestation-manifest',
        'vnd.docker.reference.digest': image.descriptor.digest,
      },
    },
  };
  await world.at('quay.io/a/b').push('1', buildIndex([image, other, attestation]));

  const lock = await plan(t, images('quay.io/a/b:1'), world);

  assert.equal(lock.spec.images[0]?.sparse, false);
  const last = lock.spec.images[0].platforms.at(-1);
  assert.deepEqual([last?.kind, last?.platform], ['attestation', undefined]);
  assert.deepEqual(readLock(formatLock(lock), 'a.lock.yaml'), lock);
});

test('an artefact that runs on no platform is locked as one, and found again offline', async (t) => {
  const world = new World();
  await world.at('quay.io/a/policy').push('1', buildChart({ name: 'policy', version: '1.0.0' }));
  const spec = images('quay.io/a/policy:1');

  const lock = await plan(t, spec, world);

  const [image] = lock.spec.images;
  assert.deepEqual(
    image?.platforms.map(({ kind, platform }) => [kind, platform]),
    [['artefact', undefined]],
  );
  assert.deepEqual(readLock(formatLock(lock), 'a.lock.yaml'), lock);
  assert.deepEqual(await plan(t, spec, undefined, lock), lock);
});

test('artefacts beside images in an index do not stand for the platforms', async (t) => {
  const world = new World();
  const unmarked = [
    buildChart({ name: 'statement', version: '1.0.0' }),
    imageFor(amd64, 'a'),
    imageFor(arm64, 'a'),
  ].map(({ descriptor: { platform: _, ...descriptor }, ...image }) => ({ ...image, descriptor }));
  await world.at('quay.io/a/b').push('1', buildIndex(unmarked));

  const lock = await plan(t, images('quay.io/a/b:1'), world);

  assert.deepEqual(
    lock.spec.images[0]?.platforms.map(({ platform }) => platform),
    ['linux/amd64', 'linux/arm64'],
  );
});

test('a platform is locked as the Release spells it, whatever the image says, and is reused', async (t) => {
  const world = new World();
  await world.at('quay.io/a/b').push('1', imageFor({ ...arm64, variant: 'v8' }, 'a'));
  const spec = `  components:
    - name: app
      images: [{ref: "quay.io/a/b:1", platforms: [linux/arm64]}]
`;

  const lock = await plan(t, spec, world);

  assert.equal(lock.spec.images[0]?.platforms[0]?.platform, 'linux/arm64');
  world.requests();
  assert.deepEqual(await plan(t, spec, world, lock), lock);
  assert.deepEqual(world.requests(), ['quay.io/a/b: HEAD 1']);
  assert.deepEqual(await plan(t, spec, undefined, lock), lock);
});

test('an earlier Lock with another spelling of the platform serves offline, respelled', async (t) => {
  const world = new World();
  await world.at('quay.io/a/b').push('1', both('a'));
  const spec = images('quay.io/a/b:1');
  const lock = await plan(t, spec, world);
  const earlier = structuredClone(lock);
  for (const { platforms } of earlier.spec.images) {
    for (const one of platforms) if (one.platform === 'linux/arm64') one.platform += '/v8';
  }

  assert.deepEqual(await plan(t, spec, undefined, earlier), lock);
});

test('an image below five indexes is refused with that as the reason', async (t) => {
  const world = new World();
  let index = both('app');
  for (let level = 0; level < 5; level += 1) {
    const outer = { schemaVersion: 2, mediaType: index.descriptor.mediaType };
    const bytes = Buffer.from(JSON.stringify({ ...outer, manifests: [index.descriptor] }));
    await world.at('quay.io/a/b').push(`inner-${level}`, index);
    const descriptor = { ...index.descriptor, digest: digestOf(bytes), size: bytes.length };
    index = { ...index, bytes, descriptor };
  }
  await world.at('quay.io/a/b').push('1', index);

  const planning = plan(t, images('quay.io/a/b:1'), world);

  await assert.rejects(planning, (error: Error) => {
    const said = /indexes more than 4 deep in each other, which are not read/;
    return 'data' in error && said.test(JSON.stringify(error.data));
  });
});
