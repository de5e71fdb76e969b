import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { checkRegistriesConfVector } from '../../../test/support/registries-conf-vectors.ts';

interface VectorFile {
  readonly count: number;
  readonly vectors: readonly { readonly id: string }[];
}

// The file is ours and has this shape; each vector is checked against its own schema.
const file = JSON.parse(
  readFileSync(new URL('testdata/registries-conf.json', import.meta.url), 'utf8'),
) as VectorFile;

test('no recorded case of registries.conf was lost', () => {
  assert.equal(file.vectors.length, file.count);
  assert.ok(file.count > 30);
});

for (const vector of file.vectors) {
  test(`containers/image does what was recorded: ${vector.id}`, async () => {
    assert.deepEqual(await checkRegistriesConfVector(vector), []);
  });
}

test('a recorded case with another result is noticed', async () => {
  const [vector] = file.vectors;
  const wrong = structuredClone(vector) as unknown as { expect: { matched_prefix: string } };
  wrong.expect.matched_prefix = 'elsewhere.example';

  assert.match((await checkRegistriesConfVector(wrong)).join(), /matched_prefix/);
});

test('a recorded case with a field that nobody compares is noticed', async () => {
  const wrong = { ...file.vectors[0], expect: { more: true } };

  assert.match((await checkRegistriesConfVector(wrong)).join(), /unknown shape/);
});
