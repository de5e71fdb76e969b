import assert from 'node:assert/strict';
import test from 'node:test';
import { blobOf, indexOf, manifestOf } from '../../test/support/build-manifest.ts';
import { images, plan, World } from '../../test/support/plan-world.ts';
import { MediaTypes } from '../oci/media-types.ts';
import { describeError } from '../shared/errors.ts';

const config = blobOf('{"os":"linux"}', MediaTypes.ociConfig);
const image = { ...manifestOf(config.descriptor), blobs: [config] };
const broken = { ...blobOf('{"schemaVersion":2}', MediaTypes.ociManifest), blobs: [] };

test('a config that cannot be read is named with its repository and side', async (t) => {
  const world = new World();
  await world.at('quay.io/a/b').push('1', image);

  const planning = plan(t, images('quay.io/a/b:1'), world);

  await assert.rejects(planning, (error: unknown) => {
    const text = `${describeError(error)} ${JSON.stringify(error)}`;
    assert.match(text, new RegExp(`quay.io/a/b@${config.descriptor.digest} \\(source\\) is not`));
    return true;
  });
});

test('a manifest inside an index that cannot be read is named, not only its index', async (t) => {
  const world = new World();
  const index = {
    ...indexOf([{ ...broken.descriptor, platform: { os: 'linux', architecture: 'amd64' } }]),
    images: [broken],
    blobs: [],
  };
  await world.at('quay.io/a/b').push('1', index);

  const planning = plan(t, images('quay.io/a/b:1'), world);

  await assert.rejects(planning, (error: unknown) => {
    const text = `${describeError(error)} ${JSON.stringify(error)}`;
    assert.match(
      text,
      new RegExp(`${broken.descriptor.digest} in the store is not a valid manifest`),
    );
    return true;
  });
});

test('a layer of an impossible size is a problem of its image, named like any other', async (t) => {
  const world = new World();
  const size = Number.MAX_SAFE_INTEGER;
  const layer = { ...blobOf('x', MediaTypes.ociLayer).descriptor, size };
  const whole = blobOf('{"os":"linux","architecture":"amd64"}', MediaTypes.ociConfig);
  const huge = { ...manifestOf(whole.descriptor, [layer]), blobs: [whole] };
  await world.at('quay.io/a/b').push('1', huge);

  const spec = images('X').replace('"X"', '{ref: "quay.io/a/b:1", platforms: [linux/amd64]}');
  const planning = plan(t, spec, world);

  await assert.rejects(planning, (error: unknown) => {
    const text = JSON.stringify(error);
    assert.match(text, /"code":"PLAN_UNRESOLVED".*"code":"IMAGE_SIZE_IMPOSSIBLE"/);
    assert.match(text, /quay.io\/a\/b:1: its manifests name 9007199254/);
    return true;
  });
});
