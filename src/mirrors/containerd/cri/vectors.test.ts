import assert from 'node:assert/strict';
import test from 'node:test';
import { checkContainerdCriVector } from '../../../../test/support/containerd-cri-vectors.ts';

const pull = 'uses_local_pull_instead_of_transfer_service';
const auth = { username: 'ann', password: 'secret' };

/** One sample of each kind: what is given, what comes out, and another result with the field that tells. */
const samples = [
  {
    given: { 'registry.mirrors': { 'a.example': ['https://m.example'] }, ref_host: 'a.example' },
    right: { endpoints_in_order: ['https://m.example', 'https://a.example'] },
    wrong: { endpoints_in_order: ['https://a.example'] },
    field: /^endpoints_in_order/,
  },
  {
    given: { host: 'localhost:5000' },
    right: { scheme: 'http' },
    wrong: { scheme: 'https' },
    field: /^scheme/,
  },
  {
    given: { cri_images: {} },
    right: { [pull]: false },
    wrong: { [pull]: true },
    field: /^uses_local_pull/,
  },
  {
    given: { auth, asking_host: 'a.example' },
    right: { username: 'ann', secret: 'secret' },
    wrong: { username: 'ann', secret: 'other' },
    field: /^secret/,
  },
] as const;

for (const { given, right, wrong, field } of samples) {
  test(`a vector of CRI with another ${Object.keys(right).join(' and ')} is noticed`, async () => {
    assert.deepEqual(await checkContainerdCriVector({ given, expect: right }), []);
    assert.match((await checkContainerdCriVector({ given, expect: wrong })).join(), field);
  });
}

test('a vector of CRI with a field that nobody compares is noticed', async () => {
  const wrong = { given: { host: 'localhost' }, expect: { scheme: 'http', more: true } };

  assert.match((await checkContainerdCriVector(wrong)).join(), /unknown shape/);
});
