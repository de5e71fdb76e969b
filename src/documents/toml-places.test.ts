import assert from 'node:assert/strict';
import test from 'node:test';
import { allTomlKeys, nearestTomlPlace, tomlLine, tomlPlace, tomlPosition } from './toml-places.ts';
import { scanToml } from './toml-scan.ts';

const text = `server = "https://a"
[[registry]]
location = "a.example"
[[registry.mirror]]
location = "m.example"
[[registry]]
prefix = "b"
location = "b.example"
  [[registry.mirror]]
  location = "n.example"
  insecure = true
[registry.extra]
[deep.er]
x = { y = { z = 1 }, "q r".s = [{ t = 2 }, { t = 3 }] }
`;
const scan = scanToml(text);

/** The written value of a path. */
function written(path: readonly (string | number)[]): string | undefined {
  const place = tomlPlace(scan, path);
  if (place === undefined || !('value' in place)) return undefined;
  return text.slice(place.value.start, place.value.end);
}

test('a number picks the item of a list, and without one the first that has the rest', () => {
  assert.equal(written(['registry', 1, 'location']), '"b.example"');
  assert.equal(written(['registry', 1, 'mirror', 0, 'location']), '"n.example"');
  assert.equal(written(['registry', 'location']), '"a.example"');
  assert.equal(written(['registry', 'prefix']), '"b"');
  assert.equal(written(['registry', 'mirror', 'insecure']), 'true');
  assert.equal(written(['registry', 2, 'location']), undefined);
});

test('keys inside inline tables and lists have places of their own', () => {
  assert.equal(written(['deep', 'er', 'x', 'y', 'z']), '1');
  assert.equal(written(['deep', 'er', 'x', 'q r', 's', 1, 't']), '3');
  assert.deepEqual(tomlPosition(scan, ['deep', 'er', 'x', 'q r', 's']), { line: 14, column: 22 });
});

test('a table that no header and no key names has no exact place, but a nearest one', () => {
  assert.equal(tomlPlace(scan, ['deep']), undefined);
  assert.equal(nearestTomlPlace(scan, ['deep'])?.line, 13);
  assert.equal(tomlLine(scan, ['deep', 'er', 'x', 'y', 'none']), 14);
  assert.deepEqual(tomlPosition(scan, ['nothing']), {});
});

test('the header of an item is its place', () => {
  const place = tomlPlace(scan, ['registry', 1, 'mirror', 0]);

  assert.deepEqual(place?.steps, ['registry', 1, 'mirror', 0]);
  assert.equal(text.slice(place?.start, place?.end), '[[registry.mirror]]');
  assert.deepEqual(tomlPlace(scan, ['registry', 'extra'])?.steps, ['registry', 1, 'extra']);
});

test('all keys come in file order, each before those inside it', () => {
  const inTable = Array.from(allTomlKeys(scan.keys), ({ steps }) => steps.join('.'));

  assert.deepEqual(inTable.slice(-6), [
    'deep.er.x',
    'deep.er.x.y',
    'deep.er.x.y.z',
    'deep.er.x.q r.s',
    'deep.er.x.q r.s.0.t',
    'deep.er.x.q r.s.1.t',
  ]);
});
