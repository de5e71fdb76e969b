import assert from 'node:assert/strict';
import test from 'node:test';
import { z } from 'zod';
import { describeShape, fieldsOf, shapeAt, shapeOf } from './shape.ts';

const schema = z.strictObject({
  list: z.array(z.union([z.string(), z.strictObject({ ref: z.string() })])),
  record: z.record(z.string(), z.strictObject({ mode: z.enum(['a', 'b']) })),
  one: z.literal('x').optional(),
  flag: z.boolean(),
  count: z.int(),
  ratio: z.number(),
  any: z.unknown(),
});
const shape = shapeOf(schema);

const words: ReadonlyArray<
  readonly [path: readonly (string | number)[], words: string | undefined]
> = [
  [[], 'a mapping'],
  [['list'], 'a list'],
  [['list', 3], 'text or a mapping'],
  [['list', 3, 'ref'], 'text'],
  [['record'], 'a mapping'],
  [['record', 'anything', 'mode'], '"a" or "b"'],
  [['one'], '"x"'],
  [['flag'], 'true or false'],
  [['count'], 'a whole number'],
  [['ratio'], 'a number'],
  [['any'], undefined],
  [['missing'], undefined],
  [['flag', 'deeper'], undefined],
];

for (const [path, text] of words) {
  test(`the shape at ${path.join('.') || 'the root'} is ${text ?? 'not known'}`, () => {
    assert.equal(describeShape(shapeAt(shape, path)), text);
  });
}

test('the fields of several alternatives are known together', () => {
  assert.deepEqual([...fieldsOf(shapeAt(shape, ['list', 0])).keys()], ['ref']);
  assert.deepEqual([...fieldsOf(undefined).keys()], []);
});
