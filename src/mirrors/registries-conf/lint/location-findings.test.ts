import assert from 'node:assert/strict';
import test from 'node:test';
import { lintedFile } from './linted-file.ts';
import { locationFindings } from './location-findings.ts';

const path = '/etc/containers/registries.conf';

function found(prefix: string, location: string) {
  const text = `[[registry]]\nprefix = "${prefix}"\nlocation = "${location}"\n`;
  const entry = { kind: 'file', bytes: Buffer.from(text) } as const;
  return locationFindings(
    lintedFile({ path, entry, isDropIn: false }, '1.1'),
    new Set(['busybox']),
  );
}

for (const prefix of ['index.docker.io', 'docker.io/busybox', 'docker.io/*', 'quay.io/app:1']) {
  test(`the location of ${prefix}, which matches no image, fails no pull`, () => {
    assert.deepEqual(found(prefix, 'harbor.example/hub'), []);
    assert.deepEqual(found(prefix, 'Harbor.example/HUB'), []);
  });
}

test('what is said of a location does not name an image that nobody wrote', () => {
  const [finding] = found('quay.io', 'm.example/Hub');

  assert.match(finding?.message ?? '', /m\.example\/Hub makes no full name/);
  assert.doesNotMatch(finding?.message ?? '', /slipway/);
});
