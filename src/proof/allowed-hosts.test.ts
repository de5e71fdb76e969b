import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../test/support/sample-lock.ts';
import type { Site } from '../site/site.ts';
import { connectionPlaces, hostGate, siteFacts } from './allowed-hosts.ts';

const site: Site = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Site',
  metadata: { name: 'plant-7' },
  spec: {
    mode: 'offline',
    sources: 'single',
    registries: {
      main: {
        address: 'harbor.plant7.example/platform',
        seenFrom: { nodes: '10.0.0.5:5443', host: '127.0.0.1:11443' },
        publish: ['keep-path', 'flat'],
      },
      other: { address: 'other.plant7.example' },
    },
    allow: ['mirror.plant7.example:8443'],
  },
};

const hosts: ReadonlyArray<readonly [scheme: string, host: string, allowed: boolean]> = [
  ['https', '10.0.0.5:5443', true],
  ['http', '10.0.0.5:5443', true],
  ['https', '10.0.0.5', false],
  ['https', 'other.plant7.example', true],
  ['https', 'OTHER.plant7.example:443', true],
  ['http', 'other.plant7.example', true],
  ['https', 'other.plant7.example:5000', false],
  ['https', 'mirror.plant7.example:8443', true],
  ['https', 'mirror.plant7.example', false],
  ['https', 'harbor.plant7.example', false],
  ['https', '127.0.0.1:11443', false],
  ['https', 'registry.k8s.io', false],
  ['https', '[fd00::1]', false],
];

for (const [scheme, host, allowed] of hosts) {
  test(`offline, ${scheme}://${host} is ${allowed ? 'allowed' : 'outside'}`, () => {
    assert.equal(hostGate(siteFacts(site)).allows(scheme, host), allowed);
  });
}

test('online, and without a Site, every host is allowed', () => {
  const online = siteFacts({ ...site, spec: { ...site.spec, mode: 'online' } });

  assert.equal(hostGate(online).allows('https', 'registry.k8s.io'), true);
  assert.equal(hostGate(undefined).allows('https', 'registry.k8s.io'), true);
});

test('where nodes and this machine see a registry differently, connections go to ours', () => {
  const { seenFrom } = siteFacts(site);

  assert.deepEqual([...seenFrom], [['10.0.0.5:5443', '127.0.0.1:11443']]);
  assert.deepEqual(
    [...connectionPlaces(new Map([['10.0.0.5', '127.0.0.1:11443']]))],
    [
      ['10.0.0.5:443', '127.0.0.1:11443'],
      ['10.0.0.5:80', '127.0.0.1:11443'],
    ],
  );
});

test('the published names of an image are those that nodes would write', () => {
  const [, pause] = sampleLock().lock.spec.images;
  assert.ok(pause !== undefined);

  assert.deepEqual(siteFacts(site).publishedNames?.(pause), [
    '10.0.0.5:5443/platform/pause:3.9',
    'other.plant7.example/pause:3.9',
  ]);
});
