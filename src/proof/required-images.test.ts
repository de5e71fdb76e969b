import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../test/support/sample-lock.ts';
import type { Lock, LockedPlatform } from '../release/lock.ts';
import { requiredImages } from './required-images.ts';

/** The sample, whose first image has exactly these manifests. */
function lockWith(...platforms: readonly LockedPlatform[]): Lock {
  const { lock } = sampleLock();
  const [first] = lock.spec.images;
  assert.ok(first);
  return { ...lock, spec: { ...lock.spec, images: [{ ...first, platforms: [...platforms] }] } };
}

const amd64 = sampleLock().lock.spec.images[0]?.platforms[0] ?? assert.fail('no platform');
const { platform: _, ...nowhere } = amd64;
const artefact: LockedPlatform = { ...nowhere, kind: 'artefact' };
const attestation: LockedPlatform = { ...nowhere, kind: 'attestation' };

function shown(lock: Lock, platforms?: readonly string[]) {
  const [image] = requiredImages(lock, platforms);
  assert.ok(image);
  const { lacking, unwanted } = image;
  return { platforms: image.platforms.map(({ platform }) => platform), lacking, unwanted };
}

test('no node asks for an attestation, so none is proved', () => {
  const lock = lockWith(amd64, attestation);

  const required = { platforms: ['linux/amd64'], lacking: [], unwanted: [] };
  assert.deepEqual(shown(lock), required);
  assert.deepEqual(shown(lock, ['linux/amd64']), required);
});

test('an artefact is proved whatever the platform of the node', () => {
  const lock = lockWith(artefact);

  const required = { platforms: ['any'], lacking: [], unwanted: [] };
  assert.deepEqual(shown(lock), required);
  assert.deepEqual(shown(lock, ['linux/arm64']), required);
});

test('an image that the Release wants for fewer platforms is not missing on the others', () => {
  const lock = lockWith(amd64);

  assert.deepEqual(shown(lock, ['linux/arm64']), {
    platforms: [],
    lacking: [],
    unwanted: ['linux/arm64'],
  });
});

test('a platform that the Lock was not made for is refused, with the one that was meant', () => {
  const lock = lockWith(amd64);

  assert.throws(() => shown(lock, ['linux/amd64', 'linux/amd']), {
    code: 'PROOF_PLATFORM_UNKNOWN',
    message: /^the Lock is not for linux\/amd, only for .*did you mean "linux\/amd64"/,
  });
});
