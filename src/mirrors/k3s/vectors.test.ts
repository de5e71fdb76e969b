import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { checkK3sVector } from '../../../test/support/k3s-vectors.ts';

interface VectorFile {
  readonly count: number;
  readonly vectors: ReadonlyArray<{ readonly id: string; readonly expect: object }>;
}

// The file is ours and has this shape; each vector is checked against its own schema.
const file = JSON.parse(
  readFileSync(new URL('testdata/k3s.json', import.meta.url), 'utf8'),
) as VectorFile;

test('no vector was lost', () => {
  assert.equal(file.vectors.length, file.count);
  assert.ok(file.count > 50);
});

for (const vector of file.vectors) {
  test(`k3s does what was recorded: ${vector.id}`, async () => {
    assert.deepEqual(await checkK3sVector(vector), []);
  });
}

test('a vector with another result is noticed', async () => {
  const [vector] = file.vectors;
  const wrong = { ...vector, expect: { ...vector?.expect, hosts_toml: {} } };

  assert.match((await checkK3sVector(wrong)).join(), /hosts_toml/);
});

test('a vector with a field that nobody compares is noticed', async () => {
  const [vector] = file.vectors;
  const wrong = { ...vector, expect: { ...vector?.expect, more: true } };

  assert.match((await checkK3sVector(wrong)).join(), /unknown shape/);
});
