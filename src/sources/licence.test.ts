import assert from 'node:assert/strict';
import test from 'node:test';
import { judgeLicence } from './licence.ts';

const rules = { allow: ['Apache-2.0', 'MIT', 'BSD-3-Clause', 'MulanPSL-2.0'], review: ['GPL-*'] };

const cases: ReadonlyArray<readonly [expression: string, verdict: string]> = [
  ['Apache-2.0', 'allowed'],
  ['MulanPSL-2.0', 'allowed'],
  ['GPL-3.0-only', 'review'],
  ['BUSL-1.1', 'refused'],
  ['Apache-2.0 OR GPL-3.0-only', 'allowed'],
  ['Apache-2.0 AND GPL-3.0-only', 'review'],
  ['MIT AND (BUSL-1.1 OR GPL-2.0-or-later)', 'review'],
  ['MIT AND BUSL-1.1', 'refused'],
  ['GPL-2.0-only WITH Classpath-exception-2.0', 'review'],
  ['Apache-2.0 WITH LLVM-exception', 'refused'],
  ['Apache 2', 'unknown'],
  ['see LICENSE', 'unknown'],
  ['', 'unknown'],
];

for (const [expression, verdict] of cases) {
  test(`the licence ${JSON.stringify(expression)} is ${verdict} (R0-29)`, () => {
    assert.equal(judgeLicence(expression, rules), verdict);
  });
}

test('an exception is allowed where a rule names all of it', () => {
  const wide = { allow: ['Apache-2.0 WITH LLVM-exception'], review: [] };

  assert.equal(judgeLicence('Apache-2.0 WITH LLVM-exception', wide), 'allowed');
});
