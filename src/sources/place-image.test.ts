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

test('another spelling of a registry does not pass the rules of its class (R0-29)', () => {
  const classes = {
    closed: {
      registries: ['Vendor.example.com', 'docker.io/team'],
      redistribute: 'never' as const,
    },
    open: { registries: ['*'], redistribute: 'always' as const },
  };
  const spellings = [
    'vendor.example.com/x:1',
    'VENDOR.example.com/x:1',
    'vendor.example.com:443/x:1',
    'registry-1.docker.io/team/x:1',
    'index.docker.io/team/x:1',
  ];
  for (const spelling of spellings) {
    const reference = parseReference(spelling);
    const placed = placeImage({ reference }, { ...policy, spec: { classes } });
    assert.equal(placed.kind === 'placed' && placed.class, 'closed', spelling);
  }
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

const approvals = [
  {
    name: 'hub.oepkgs.net/openfuyao/x',
    licence: 'GPL-2.0-only',
    by: 'legal@openfuyao.example',
    because: 'its sources are offered beside it',
  },
  { name: 'hub.oepkgs.net/openfuyao/y:1', by: 'legal@openfuyao.example', because: 'it is our own' },
  { name: 'quay.io/a/b', licence: 'MIT', by: 'somebody', because: 'of that' },
  { name: 'hub.oepkgs.net/openfuyao/z', licence: 'BUSL-1.1', by: 'somebody', because: 'of that' },
];

function approvedOr(ref: string, licence?: string): string {
  const approving = { ...policy, spec: { ...policy.spec, approvals } };
  const result = placeImage({ reference: parseReference(ref), licence }, approving);
  return result.kind === 'placed' ? `${result.redistribution}: ${result.because}` : result.code;
}

test('what a person has looked at may travel, with who and why, for just that licence', () => {
  const looked = 'allowed: legal@openfuyao.example has looked at';

  assert.equal(
    approvedOr('hub.oepkgs.net/openfuyao/x:7', 'GPL-2.0-only'),
    `${looked} GPL-2.0-only: its sources are offered beside it`,
  );
  assert.match(approvedOr('hub.oepkgs.net/openfuyao/x:7', 'GPL-3.0-only'), /^review: /);
  assert.match(approvedOr('hub.oepkgs.net/openfuyao/x:7'), /^review: /);
  assert.equal(approvedOr('hub.oepkgs.net/openfuyao/y:1'), `${looked} its licence: it is our own`);
  assert.match(approvedOr('hub.oepkgs.net/openfuyao/y:2'), /^review: /);
});

test('an approval does not move what is never passed on, nor a licence that is refused', () => {
  assert.match(approvedOr('quay.io/a/b:1', 'MIT'), /^own-use-only: class upstream-only is never/);
  assert.equal(approvedOr('hub.oepkgs.net/openfuyao/z:1', 'BUSL-1.1'), 'LICENCE_REFUSED');
});
