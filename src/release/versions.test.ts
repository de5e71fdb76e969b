import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compareVersions, isVersion, tagOf } from './versions.ts';

const ascending: ReadonlyArray<readonly [older: string, newer: string]> = [
  ['v1.9.0', 'v1.28.8'],
  ['1.28.8', 'v1.28.9'],
  ['v1.28.8', 'v1.28.8-of.1'],
  ['v1.28.8-of.1', 'v1.28.8-of.2'],
  ['v1.28.8-of.9', 'v1.28.8-of.10'],
  ['v1.28.8-of.1', 'v1.28.9'],
  ['1.12.2', '1.12.2-of.1'],
  ['3.5.9-0', '3.5.12-0'],
  ['3.5.12-0', '3.5.12-1'],
  ['v1.28.8+k3s1', 'v1.28.8+k3s2'],
  ['v1.28.8+rke2r1', 'v1.28.8+rke2r2'],
  ['v1.25.16-k3s4', 'v1.26.0'],
  ['v1.34.0-alpha.1', 'v1.34.0-beta.1'],
  ['v1.34.0-rc.1', 'v1.34.0'],
  ['nonsense', 'v0.0.1'],
];

for (const [older, newer] of ascending) {
  test(`${older} is older than ${newer} (R0-77)`, () => {
    assert.ok(compareVersions(older, newer) < 0);
    assert.ok(compareVersions(newer, older) > 0);
  });
}

test('a leading v does not matter for the order', () => {
  assert.equal(compareVersions('v3.5.12-0', '3.5.12-0'), 0);
});

test('a version compares equal to itself, whatever its suffix', () => {
  const suffix = fc.constantFrom('', '-0', '-of.1', '+k3s1', '-rc.1');
  fc.assert(
    fc.property(fc.nat(99), fc.nat(99), fc.nat(99), suffix, (major, minor, patch, end) => {
      const version = `v${major}.${minor}.${patch}${end}`;
      assert.ok(isVersion(version));
      assert.equal(compareVersions(version, version), 0);
    }),
  );
});

for (const text of ['', 'v1.28', 'latest', '1.2.3.4', 'v1.28.8-', 'v1.x.0']) {
  test(`"${text}" is not a version`, () => {
    assert.equal(isVersion(text), false);
  });
}

test('a tag is written in the form of its publisher (R0-76)', () => {
  assert.equal(tagOf('v1.28.8', 'without-v'), '1.28.8');
  assert.equal(tagOf('1.28.8', 'with-v'), 'v1.28.8');
  assert.equal(tagOf('3.9', 'as-written'), '3.9');
});
