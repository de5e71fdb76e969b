import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parsePlacedJson } from './placed-json.ts';

/** What Go 1.24's json.Unmarshal says about these texts, and at which character. */
const wrong: readonly (readonly [text: string, reason: string, at: number])[] = [
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string", 7],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string", 1],
  ['{"a" 1}', "invalid character '1' after object key", 5],
  ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`, 7],
  ['[1 2]', "invalid character '2' after array element", 3],
  ['[1,]', "invalid character ']' looking for beginning of value", 3],
  ['{} x', "invalid character 'x' after top-level value", 3],
  ['{"a":', 'unexpected end of JSON input', 5],
  ['"a\nb"', String.raw`invalid character '\n' in string literal`, 2],
  [String.raw`"\x"`, "invalid character 'x' in string escape code", 2],
  [String.raw`"\u12g4"`, String.raw`invalid character 'g' in \u hexadecimal character escape`, 5],
  ['[-x]', "invalid character 'x' in numeric literal", 2],
  ['[1.x]', "invalid character 'x' after decimal point in numeric literal", 3],
  ['[1ex]', "invalid character 'x' in exponent of numeric literal", 3],
  ['[trux]', "invalid character 'x' in literal true (expecting 'e')", 4],
  ["['a']", String.raw`invalid character '\'' looking for beginning of value`, 1],
  ['// c\n{}', "invalid character '/' looking for beginning of value", 0],
];

for (const [text, reason, at] of wrong) {
  test(`${JSON.stringify(text)} is refused in the words of Go, at its place`, () => {
    assert.deepEqual(parsePlacedJson(text), { ok: false, reason, at });
  });
}

test('every JSON text is read, and every value stands where it says', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const parsed = parsePlacedJson(text);
      assert.ok(parsed.ok);
      const { start, end } = parsed.value;
      assert.deepEqual(JSON.parse(text.slice(start, end)), JSON.parse(text));
    }),
    { numRuns: 200 },
  );
});

test('what JSON.parse refuses is refused here too, and the other way round', () => {
  const damaged = fc.tuple(
    fc.json(),
    fc.nat(40),
    fc.constantFrom('', ',', '"', '}', ' ', '1', '\\'),
  );

  fc.assert(
    fc.property(damaged, ([text, at, put]) => {
      const changed = text.slice(0, at) + put + text.slice(at + 1);
      assert.equal(parsePlacedJson(changed).ok, isJson(changed));
    }),
    { numRuns: 500, seed: 4 },
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
