/**
 * Odd registries.yaml files, read by the library of k3s (gopkg.in/yaml.v2) and by us: values and the texts of
 * errors must be the same. Needs Go; run with `node --test test/oracles/k3s/yaml.test.ts`.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import { readRegistries } from '../../../src/mirrors/k3s/registries-file.ts';
import { plainRegistries } from '../../support/k3s-plain.ts';
import { runOptions } from '../run-options.ts';
import { askReaders } from './ask-readers.ts';
import { oddRegistries, refusedByUs, sampleRegistries } from './odd-registries.ts';

const { seed, count, isUsual } = runOptions({ count: 1200 });
const texts = [...oddRegistries, ...sampleRegistries(count, seed)];
const answers = await askReaders(texts.map((yaml) => ({ yaml })));

test(`yaml.v2 and we read ${texts.length} files alike (seed ${seed})`, () => {
  const different = texts.flatMap((text, index) => {
    const go = answers[index];
    const ours = readRegistries(text);
    const shown =
      ours.kind === 'read'
        ? { parsed: plainRegistries(ours.registries) }
        : { error: ours.error, isSyntax: ours.syntax !== undefined };
    return isSame(go, ours) ? [] : [{ text, go, ours: shown }];
  });

  assert.deepEqual(different.slice(0, 12), [], `${different.length} differ`);
});

test('the samples are both read and refused, for types and for syntax', { skip: !isUsual }, () => {
  const refused = answers.filter(({ error }) => error !== undefined);
  const types = refused.filter(({ error }) => error?.includes('unmarshal errors'));

  assert.ok(answers.length - refused.length > 300);
  assert.ok(types.length > 100);
  assert.ok(refused.length - types.length > 50);
});

test('what the parser that Slipway has cannot follow is refused, not read in another way', async () => {
  const read = await askReaders(refusedByUs.map((yaml) => ({ yaml })));

  assert.deepEqual(
    read.map(({ error }) => error),
    refusedByUs.map(() => undefined),
  );
  for (const text of refusedByUs) assert.equal(readRegistries(text).kind, 'refused');
});

/** Of a text that is no YAML only the refusal is compared: goSyntaxText says which texts are exact. */
function isSame(go: (typeof answers)[number] | undefined, ours: ReturnType<typeof readRegistries>) {
  if (ours.kind === 'read') {
    return JSON.stringify(go?.parsed) === JSON.stringify(plainRegistries(ours.registries));
  }
  if (ours.syntax !== undefined) return go?.error !== undefined;
  return go?.error?.replaceAll('main.', 'registries.') === ours.error;
}
