import assert from 'node:assert/strict';
import test from 'node:test';
import { parseReference } from '../oci/reference.ts';
import type { SourcePolicy } from '../release/source-policy.ts';
import { placeImage } from './place-image.ts';

const policy: SourcePolicy = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'SourcePolicy',
  metadata: { name: 'openfuyao' },
  spec: {
    classes: {
      'self-built': { registries: ['cr.openfuyao.cn/openfuyao'] },
      redistributable: {
        registries: ['hub.oepkgs.net/openfuyao'],
        licences: { allow: ['Apache-2.0', 'MIT'], review: ['GPL-*'] },
      },
      'upstream-only': { registries: ['*'], redistribute: 'never' },
    },
  },
};

function place(ref: string, rest: { class?: string; licence?: string } = {}) {
  const result = placeImage({ reference: parseReference(ref), ...rest }, policy);
  return result.kind === 'placed' ? [result.class, result.redistribution] : [result.code];
}

test('the registry decides the class: own builds, redistributable, everything else (R0-29, R0-47)', () => {
  assert.deepEqual(place('cr.openfuyao.cn/openfuyao/cluster-api-provider-bke:latest'), [
    'self-built',
    'allowed',
  ]);
  assert.deepEqual(place('hub.oepkgs.net/openfuyao/coredns:v1', { licence: 'Apache-2.0' }), [
    'redistributable',
    'allowed',
  ]);
  assert.deepEqual(place('registry.k8s.io/cluster-api/cluster-api-controller:v1.4.3'), [
    'upstream-only',
    'own-use-only',
  ]);
  assert.deepEqual(place('openssl:latest'), ['upstream-only', 'own-use-only']);
});

test('a prefix ends at a slash', () => {
  assert.deepEqual(place('cr.openfuyao.cn/openfuyao-fork/x:1'), ['upstream-only', 'own-use-only']);
});

test('a class that the Release names must own the registry', () => {
  assert.deepEqual(place('docker.io/library/openssl:latest', { class: 'redistributable' }), [
    'CLASS_WRONG_REGISTRY',
  ]);
  assert.deepEqual(place('registry.k8s.io/pause:3.9', { class: 'upstream' }), ['CLASS_UNKNOWN']);
});

test('a licence is allowed, needs a look, or is refused; a missing one needs a look', () => {
  const image = 'hub.oepkgs.net/openfuyao/x:1';

  assert.deepEqual(place(image, { licence: 'MIT' }), ['redistributable', 'allowed']);
  assert.deepEqual(place(image, { licence: 'GPL-2.0-only' }), ['redistributable', 'review']);
  assert.deepEqual(place(image, { licence: 'some text' }), ['redistributable', 'review']);
  assert.deepEqual(place(image), ['redistributable', 'review']);
  assert.deepEqual(place(image, { licence: 'BUSL-1.1' }), ['LICENCE_REFUSED']);
});

test('a registry that no class owns is refused, with the classes there are', () => {
  const { 'self-built': own } = policy.spec.classes;
  assert.ok(own);
  const narrow = { ...policy, spec: { classes: { 'self-built': own } } };

  const result = placeImage({ reference: parseReference('quay.io/a/b:1') }, narrow);

  assert.equal(result.kind === 'refused' && result.code, 'CLASS_NOT_FOUND');
  assert.match(result.kind === 'refused' ? result.hint : '', /self-built/);
});

test('without a policy nothing may travel', () => {
  const result = placeImage({ reference: parseReference('quay.io/a/b:1') }, undefined);

  assert.equal(result.kind === 'placed' && result.redistribution, 'own-use-only');
});
