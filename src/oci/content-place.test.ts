import assert from 'node:assert/strict';
import test from 'node:test';
import { contentPlace, inPlace } from './content-place.ts';
import { digestOf } from './digest.ts';
import { platformOfConfig } from './image-config.ts';
import { maxManifestBytes, parseManifest } from './manifest.ts';

const bytes = (text: string) => Buffer.from(text);
const refused: ReadonlyArray<readonly [code: string, parse: () => unknown]> = [
  ['MANIFEST_INVALID', () => parseManifest(bytes('{}'))],
  ['MANIFEST_TOO_LARGE', () => parseManifest(Buffer.alloc(maxManifestBytes + 1))],
  ['MANIFEST_SCHEMA1_UNSUPPORTED', () => parseManifest(bytes('{"schemaVersion":1}'))],
  ['IMAGE_CONFIG_INVALID', () => platformOfConfig(bytes('PK'))],
];

for (const [code, parse] of refused) {
  test(`${code} names the repository, the reference and the side`, () => {
    const where = contentPlace('quay.io/a/b', '1', 'source');

    assert.throws(() => inPlace(where, parse), { code, message: /^quay\.io\/a\/b:1 \(source\) / });
  });
}

test('who read the content knows the place best', () => {
  const inner = () =>
    inPlace(contentPlace('inner', digestOf(''), 'target'), () => parseManifest(bytes('{}')));

  assert.throws(() => inPlace('outer', inner), { message: /^inner@sha256:\w+ \(target\) is not/ });
});

test('other errors pass as they are', () => {
  const error = new Error('disk');

  assert.throws(
    () =>
      inPlace('x', () => {
        throw error;
      }),
    error,
  );
});
