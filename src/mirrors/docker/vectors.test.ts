import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { checkDockerVector } from '../../../test/support/docker-vectors.ts';

interface VectorFile {
  readonly count: number;
  readonly vectors: readonly { readonly id: string; readonly expect: object }[];
}

// The file is ours and has this shape; each vector is checked against its own schema.
const file = JSON.parse(
  readFileSync(new URL('testdata/docker.json', import.meta.url), 'utf8'),
) as VectorFile;

test('no vector was lost', () => {
  assert.equal(file.vectors.length, file.count);
});

for (const vector of file.vectors) {
  test(`Docker does what its source says: ${vector.id}`, async () => {
    assert.deepEqual(await checkDockerVector(vector), []);
  });
}

test('a vector with another result, another lint or an unknown field is noticed', async () => {
  const [vector] = file.vectors;
  const check = async (more: object) => (await checkDockerVector({ ...vector, ...more })).join();

  assert.match(await check({ expect: { endpoints_in_order: [] } }), /endpoints_in_order/);
  assert.match(await check({ lint: 'error: not so' }), /lint: expected error, got nothing/);
  assert.match(await check({ lint: 'often: unknown' }), /unknown shape: the lint/);
  assert.match(await check({ expect: { more: true } }), /unknown shape/);
});
