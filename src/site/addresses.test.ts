import assert from 'node:assert/strict';
import test from 'node:test';
import { addressSeenFrom, parseAddress } from './addresses.ts';

const right: ReadonlyArray<readonly [text: string, host: string, project: string]> = [
  ['harbor.example', 'harbor.example', ''],
  ['harbor.example/platform', 'harbor.example', 'platform'],
  ['localhost:5000/a/b-c', 'localhost:5000', 'a/b-c'],
  ['10.0.0.5:11443', '10.0.0.5:11443', ''],
  ['[::1]:5000/x', '[::1]:5000', 'x'],
];

for (const [text, host, project] of right) {
  test(`${text} is an address`, () => {
    assert.deepEqual(parseAddress(text), { host, project });
  });
}

for (const text of [
  '',
  'https://h.example',
  'H.example',
  'h.example/',
  'h.example/A',
  'h.example:0',
  'h.example:65536',
  'h.example/a:tag',
  'h.example/a@sha256:x',
  'u:p@h.example',
  'h example',
  '/a',
]) {
  test(`"${text}" is not an address`, () => {
    assert.equal(parseAddress(text), undefined);
  });
}

test('each place sees its own address, the others the one of the registry (R0-61, R4-13)', () => {
  const registry = {
    address: 'harbor.example/platform',
    seenFrom: { host: '127.0.0.1:11443', nodes: '10.0.0.5:11443' },
  };
  const seen = (['host', 'bootstrap', 'nodes', 'afterwards'] as const).map((place) => {
    const { scheme, host, project } = addressSeenFrom(registry, place);
    return `${scheme}://${host}/${project}`;
  });

  assert.deepEqual(seen, [
    'https://127.0.0.1:11443/platform',
    'https://harbor.example/platform',
    'https://10.0.0.5:11443/platform',
    'https://harbor.example/platform',
  ]);
});

test('HTTP without TLS is used only where the Site says so', () => {
  assert.equal(addressSeenFrom({ address: 'h:5000', plainHttp: true }, 'host').scheme, 'http');
  assert.equal(addressSeenFrom({ address: 'h:5000' }, 'host').scheme, 'https');
});
