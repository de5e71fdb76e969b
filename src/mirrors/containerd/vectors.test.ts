import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { checkContainerdVector } from '../../../test/support/containerd-vectors.ts';

interface VectorFile {
  readonly count: number;
  readonly vectors: readonly { readonly id: string }[];
}

// The file is ours and has this shape; each vector is checked against its own schema.
const file = JSON.parse(
  readFileSync(new URL('testdata/containerd.json', import.meta.url), 'utf8'),
) as VectorFile;

test('no vector was lost', () => {
  assert.equal(file.vectors.length, file.count);
  assert.ok(file.count > 100);
});

for (const vector of file.vectors) {
  test(`containerd does what was recorded: ${vector.id}`, async () => {
    assert.deepEqual(await checkContainerdVector(vector), []);
  });
}

test('a vector with another result is noticed', async () => {
  const [vector] = file.vectors;
  const wrong = structuredClone(vector) as unknown as {
    expect: { resolve_requests: string[]; endpoints: { base: string }[]; unknown?: boolean }[];
  };
  wrong.expect[0]?.resolve_requests.push('HEAD https://elsewhere.example/');

  assert.match((await checkContainerdVector(wrong)).join(), /resolve_requests/);
});

test('a vector with a field that nobody compares is noticed', async () => {
  const wrong = { ...file.vectors[0], expect: [{ versions: ['2.1.9'], more: true }] };

  assert.match((await checkContainerdVector(wrong)).join(), /unknown shape/);
});

test('a lint of another level, or for versions that nobody knows, is noticed', async () => {
  const vector = file.vectors.find(({ id }) => id === 'containerd/mirror-server-dockerio');

  const wrong = { ...vector, lint: 'info: another level' };
  assert.match((await checkContainerdVector(wrong)).join(), /lint: expected info, got C004 error/);
  const odd = { ...vector, lint: 'error on containerd of old: text' };
  assert.match((await checkContainerdVector(odd)).join(), /unknown shape: the versions/);
});
