import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { applyTextEdits, type TextEdit } from '../../documents/text-edit.ts';
import { chooseEdits } from './choose-edits.ts';

const edit = (start: number, end: number, text: string): TextEdit => ({ start, end, text });

test('edits are applied whatever their order, each at its place in the old text', () => {
  const text = applyTextEdits('one two three', [
    edit(0, 3, '1'),
    edit(8, 13, 'drei'),
    edit(4, 4, '+'),
  ]);

  assert.equal(text, '1 +two drei');
});

test('of two edits at one place the first counts, and the other one waits with all of its group', () => {
  const first = { edits: [edit(0, 3, 'a')] };
  const second = { edits: [edit(2, 5, 'b'), edit(10, 11, 'c')] };
  const same = { edits: [edit(0, 3, 'a')] };

  const { edits, chosen } = chooseEdits([first, second, same], 20);

  assert.deepEqual(chosen, [first, same]);
  assert.deepEqual(edits, first.edits);
});

test('two insertions at one place are not both made: nobody said which comes first', () => {
  const { chosen } = chooseEdits([{ edits: [edit(1, 1, 'a')] }, { edits: [edit(1, 1, 'b')] }], 5);

  assert.equal(chosen.length, 1);
});

test('an edit outside of the text is left out', () => {
  assert.deepEqual(chooseEdits([{ edits: [edit(3, 9, '')] }], 5).chosen, []);
});

test('the text between chosen edits is what it was, for any edits', () => {
  const some = fc.record({
    start: fc.nat(20),
    length: fc.nat(5),
    text: fc.string({ maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.string({ minLength: 25, maxLength: 25 }), fc.array(some), (text, all) => {
      const groups = all.map(({ start, length, text: put }) => ({
        edits: [edit(start, start + length, put)],
      }));
      const { edits } = chooseEdits(groups, text.length);
      const sorted = edits.toSorted((a, b) => a.start - b.start);
      let [expected, at] = ['', 0];
      for (const { start, end, text: put } of sorted) {
        expected += text.slice(at, start) + put;
        at = end;
      }

      assert.equal(applyTextEdits(text, edits), expected + text.slice(at));
    }),
    { seed: 4 },
  );
});
