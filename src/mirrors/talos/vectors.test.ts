import assert from 'node:assert/strict';
import test from 'node:test';
import { checkTalosVector } from '../../../test/support/talos-vectors.ts';

const asked = {
  given: { mirrors: { 'a.example': ['https://m.example'] }, ref_host: 'a.example' },
  expect: { endpoints_in_order: ['https://m.example', 'https://a.example'] },
};

test('a vector of Talos with another result is noticed', async () => {
  const wrong = { ...asked, expect: { endpoints_in_order: ['https://a.example'] } };

  assert.deepEqual(await checkTalosVector(asked), []);
  assert.match((await checkTalosVector(wrong)).join(), /endpoints_in_order/);
});

test('a vector of Talos with other files, or without the error, is noticed', async () => {
  const given = { mirrors: { 'a.example': ['https://m.example'] } };

  assert.match((await checkTalosVector({ given, expect: { files: {} } })).join(), /^files/);
  assert.match((await checkTalosVector({ given, expect: { error: 'no' } })).join(), /^error/);
});

test('a vector of Talos with a field that nobody compares, or a lint, is noticed', async () => {
  const more = { ...asked, expect: { ...asked.expect, more: true } };

  assert.match((await checkTalosVector(more)).join(), /unknown shape/);
  assert.match((await checkTalosVector({ ...asked, lint: 'ok: text' })).join(), /unknown shape/);
});
