import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { decodeGoBase64 } from './go-base64.ts';
import { parseGoDuration } from './go-duration.ts';
import { compileGlob, isBadPattern } from './go-glob.ts';
import { absolutePath, cleanPath, joinPath } from './go-path.ts';

test('durations have a unit, or are 0', () => {
  const texts = ['3s', '1m30s', '1.5h', '0', '-2ms', '.5s', '100us'];
  const wrong = ['3', '', 's', '1 s', '3S', '1m30', '--1s', '1e3s'];

  assert.deepEqual(texts.map(parseGoDuration), [3000, 90_000, 5_400_000, 0, -2, 500, 0.1]);
  assert.deepEqual(
    wrong.map(parseGoDuration),
    wrong.map(() => undefined),
  );
});

test('base64 has its padding, and line ends in it do not count', () => {
  const read = (text: string) => {
    const found = decodeGoBase64(text);
    return found.ok ? found.bytes.toString() : found.reason;
  };

  assert.equal(read('dTpw\ndQ=='), 'u:pu');
  assert.equal(read('dTp'), 'illegal base64 data at input byte 0');
  assert.equal(read('dTpw*'), 'illegal base64 data at input byte 4');
});

test('patterns have ranges and escapes, and a class that does not end makes them bad', () => {
  const matches = (pattern: string, name: string) => compileGlob(pattern)?.test(name);

  assert.equal(matches('[^a-c]*.to?l', 'x.d.toml'), true);
  assert.equal(matches('[^a-c]*', 'b'), false);
  assert.equal(matches('\\*[z-a]', '*b'), false);
  assert.deepEqual(['[', '[a', '[]a]', '[a-]', '\\'].filter(isBadPattern).length, 5);
});

test('paths are cleaned and joined as Go does', () => {
  assert.deepEqual(['/a/../b/', '', '//v2', '/..', '../a/..', 'a/./b'].map(cleanPath), [
    '/b',
    '.',
    '/v2',
    '/',
    '..',
    'a/b',
  ]);
  assert.equal(joinPath('/', '', 'a', '../b'), '/b');
  assert.equal(joinPath('', ''), '');
  assert.equal(absolutePath('ca.pem', '/etc/x'), '/etc/x/ca.pem');
  assert.equal(absolutePath('/ca.pem', '/etc/x'), '/ca.pem');
});

test('a clean path is clean', () => {
  const path = fc.array(fc.constantFrom('a', 'b', '.', '..', '')).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(path, (text) => {
      assert.equal(cleanPath(cleanPath(text)), cleanPath(text));
    }),
  );
});
