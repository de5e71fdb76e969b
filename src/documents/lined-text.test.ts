import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { LinedText } from './lined-text.ts';

test('lines and places are those that splitting the text gives', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\u{1F600}'), maxLength: 20 });
  fc.assert(
    fc.property(text, fc.nat(40), (source, near) => {
      const lined = new LinedText(source);
      const lines = source.split('\n');
      const offset = Math.min(near, source.length);
      const before = source.slice(0, offset).split('\n');

      assert.deepEqual(lined.at(offset), {
        line: before.length,
        column: (before.at(-1)?.length ?? 0) + 1,
      });
      for (const [index, line] of lines.entries()) {
        assert.equal(lined.line(index + 1), line.replace(/\r$/, ''));
      }
      assert.equal(lined.line(lines.length + 1), undefined);
    }),
  );
});
