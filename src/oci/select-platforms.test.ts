import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Descriptor } from './descriptor.ts';
import { digestOf } from './digest.ts';
import { MediaTypes } from './media-types.ts';
import { formatPlatform, type Platform, parsePlatform, platformMatches } from './platform.ts';
import { selectPlatforms } from './select-platforms.ts';

function entry(name: string, rest: Partial<Descriptor> = {}): Descriptor {
  const platform = parsePlatform(name);
  const own = platform === undefined ? {} : { platform };
  return { mediaType: MediaTypes.ociManifest, digest: digestOf(name), size: 1, ...own, ...rest };
}

function platforms(...names: string[]): Platform[] {
  return names.map((name) => parsePlatform(name) ?? assert.fail(name));
}

const indexOf = (...manifests: Descriptor[]) => ({ schemaVersion: 2 as const, manifests });

test('each wanted platform is chosen or missing', () => {
  const index = indexOf(entry('linux/amd64'), entry('linux/s390x'));

  const choice = selectPlatforms(index, platforms('linux/arm64', 'linux/amd64'));

  assert.deepEqual(choice.chosen, [
    { platform: { os: 'linux', architecture: 'amd64' }, descriptor: entry('linux/amd64') },
  ]);
  assert.deepEqual(choice.missing, platforms('linux/arm64'));
});

test('the exact variant is preferred to one that merely fits', () => {
  const index = indexOf(entry('linux/arm64/v8'), entry('linux/arm64'));

  const [first] = selectPlatforms(index, platforms('linux/arm64')).chosen;
  const [second] = selectPlatforms(index, platforms('linux/arm64/v8')).chosen;

  assert.equal(first?.descriptor.digest, digestOf('linux/arm64'));
  assert.equal(second?.descriptor.digest, digestOf('linux/arm64/v8'));
});

test('linux/arm64/v8 is chosen for linux/arm64, but arm/v6 is not for arm/v7', () => {
  const index = indexOf(entry('linux/arm64/v8'), entry('linux/arm/v6'));

  const choice = selectPlatforms(index, platforms('linux/arm64', 'linux/arm/v7'));

  assert.equal(choice.chosen[0]?.descriptor.digest, digestOf('linux/arm64/v8'));
  assert.deepEqual(choice.missing, platforms('linux/arm/v7'));
});

test('attestations, inner indexes and entries without a platform are kept aside', () => {
  const attestation = entry('unknown/unknown');
  const nested = entry('linux/amd64', { mediaType: MediaTypes.ociIndex });
  const unmarked = entry('chart');
  const index = indexOf(attestation, nested, unmarked);

  const choice = selectPlatforms(index, platforms('linux/amd64'));

  assert.deepEqual(choice, {
    chosen: [],
    missing: platforms('linux/amd64'),
    attestations: [attestation],
    nested: [nested],
    unmarked: [unmarked],
  });
});

test('an attestation is known by its annotation too', () => {
  const annotations = { 'vnd.docker.reference.type': 'attestation-manifest' };
  const index = indexOf(entry('linux/amd64', { annotations }));

  const choice = selectPlatforms(index, platforms('linux/amd64'));

  assert.equal(choice.attestations.length, 1);
  assert.equal(choice.chosen.length, 0);
});

const anyPlatform = fc
  .tuple(
    fc.constantFrom('linux', 'windows'),
    fc.constantFrom('amd64', 'arm64', 'arm'),
    fc.constantFrom(undefined, 'v7', 'v8'),
  )
  .map(
    ([os, architecture, variant]): Platform =>
      variant === undefined ? { os, architecture } : { os, architecture, variant },
  );

test('whatever the index, every wanted platform is accounted for and what is chosen fits', () => {
  fc.assert(
    fc.property(fc.array(anyPlatform), fc.array(anyPlatform), (offered, wanted) => {
      const index = indexOf(...offered.map((platform) => entry(formatPlatform(platform))));

      const { chosen, missing } = selectPlatforms(index, wanted);

      assert.equal(chosen.length + missing.length, wanted.length);
      for (const { platform, descriptor } of chosen) {
        assert.ok(descriptor.platform && platformMatches(platform, descriptor.platform));
      }
    }),
  );
});

test('a platform is read back from its text', () => {
  fc.assert(
    fc.property(anyPlatform, (platform) => {
      assert.deepEqual(parsePlatform(formatPlatform(platform)), platform);
    }),
  );
});
