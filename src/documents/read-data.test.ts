import assert from 'node:assert/strict';
import test from 'node:test';
import { z } from 'zod';
import { readData } from './read-data.ts';

const Facts = z.strictObject({ name: z.string() });

test('a data file is read by its schema, as YAML or JSON', () => {
  assert.deepEqual(readData('name: a # why\n', 'f.yaml', Facts), { name: 'a' });
  assert.deepEqual(readData('{"name": "a"}', 'f.json', Facts), { name: 'a' });
});

const wrong: ReadonlyArray<readonly [claim: string, text: string, message: RegExp]> = [
  ['an unknown field', 'nam: a\n', /f\.yaml: 2 problems/],
  ['nothing', '', /the file is empty/],
  ['two documents', 'name: a\n---\nname: b\n', /several documents/],
  ['a syntax error', 'name: "a\n', /f\.yaml: 1 problem/],
  ['bytes that are no text', 'name: \u0000\n', /control character/],
];

for (const [claim, text, message] of wrong) {
  test(`a data file with ${claim} is refused`, () => {
    assert.throws(() => readData(text, 'f.yaml', Facts), { code: 'DOCUMENT_INVALID', message });
  });
}
