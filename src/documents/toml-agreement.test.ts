/** The scan against the parser of values: generated documents, and texts that are hardly TOML. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { tomlDocuments } from '../../test/support/toml-documents.ts';
import { isTomlList, isTomlTable, parseToml, type TomlTable, type TomlValue } from './toml.ts';
import { allTomlKeys } from './toml-places.ts';
import { scanToml, type TomlScan, type TomlSpan, type TomlStep } from './toml-scan.ts';

test('keys, their paths and the text of their values are those that the parser finds', () => {
  let read = 0;
  fc.assert(
    fc.property(tomlDocuments, (text) => {
      const parsed = parseToml(text, '');
      fc.pre(parsed.ok);
      read += 1;
      const scan = scanToml(text);

      assert.equal(scan.stop, undefined);
      assert.deepEqual(namesInScan(scan), namesInValue(parsed.value, []).sort());
      for (const key of allTomlKeys(scan.keys)) {
        const written = `x = ${textOf(scan, key.value)}`;
        const again = parseToml(written, '');
        assert.deepEqual(again.ok && again.value['x'], valueAt(parsed.value, key.steps), written);
        assert.deepEqual(pathOf(textOf(scan, key)), key.path.slice(-key.parts.length));
      }
      for (const header of scan.headers) {
        assert.match(textOf(scan, header), header.kind === 'table' ? /^\[.*\]$/ : /^\[\[.*\]\]$/);
        assert.deepEqual(pathOf(header.raw), header.path);
      }
    }),
    { numRuns: 800 },
  );
  assert.ok(read >= 800);
});

test('between headers, keys and values stand only blanks, comments and equals signs', () => {
  fc.assert(
    fc.property(tomlDocuments, (text) => {
      const scan = scanToml(text);
      const spans = [...scan.headers, ...scan.keys, ...scan.keys.map((key) => key.value)];
      let at = 0;
      for (const span of spans.sort((a, b) => a.start - b.start)) {
        assert.match(text.slice(at, span.start), /^\uFEFF?(?:[\s=]|#[^\n]*\n)*$/);
        at = span.end;
      }
      if (scan.stop === undefined) assert.match(text.slice(at), /^(?:\s|#[^\n]*(?:\n|$))*$/);
    }),
  );
});

test('of any text the scan makes something, and stops at nothing that the parser takes', () => {
  const units = ['a', 'b = 1', '[', ']', '{', '}', '=', '.', ',', '"', "'", '"""', '\\', '#', ' '];
  const anything = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom(...units, '\n', '\r', '\r\n', '\0', '\uFEFF'), { maxLength: 40 })
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const scan = scanToml(text);

      const isRead = parseToml(text, '').ok;
      assert.ok(!isRead || scan.stop === undefined);
      assert.ok((scan.stop?.start ?? 0) <= text.length);
      for (const span of [...scan.headers, ...scan.keys, ...scan.comments]) {
        assert.ok(span.start < span.end && span.end <= text.length);
        const before = text
          .replace(/^\uFEFF/, ' ')
          .slice(0, span.start)
          .split('\n');
        assert.equal(span.line, before.length);
      }
    }),
    { numRuns: 1000 },
  );
});

function textOf({ text }: TomlScan, span: TomlSpan): string {
  return text.slice(span.start, span.end);
}

/** `a . "b c"` → `['a', 'b c']`, by the parser. */
function pathOf(key: string): readonly string[] {
  const parsed = parseToml(`${key} = 0`, '');
  const path: string[] = [];
  let at: TomlValue | undefined = parsed.ok ? parsed.value : undefined;
  while (isTomlTable(at)) {
    const [name = '']: readonly string[] = Object.keys(at);
    path.push(name);
    at = at[name];
  }
  return path;
}

/** The path of every key in the value, tables and items of lists included. */
function namesInValue(value: TomlValue, steps: readonly TomlStep[]): string[] {
  const inner: Iterable<readonly [TomlStep, TomlValue]> = isTomlTable(value)
    ? Object.entries(value)
    : isTomlList(value)
      ? value.entries()
      : [];
  return Array.from(inner).flatMap(([step, item]) => {
    const path = [...steps, step];
    const own = typeof step === 'string' ? [JSON.stringify(path)] : [];
    return [...own, ...namesInValue(item, path)];
  });
}

/** The path of every key and header in the scan, with the tables that stand on the way. */
function namesInScan(scan: TomlScan): readonly string[] {
  const found = new Set<string>();
  for (const { steps } of [...scan.headers, ...allTomlKeys(scan.keys)]) {
    for (let length = steps.length; length > 0; length -= 1) {
      if (typeof steps[length - 1] === 'string') found.add(JSON.stringify(steps.slice(0, length)));
    }
  }
  return [...found].sort();
}

function valueAt(table: TomlTable, steps: readonly TomlStep[]): TomlValue | undefined {
  return steps.reduce<TomlValue | undefined>((at, step) => {
    if (typeof step === 'number') return isTomlList(at) ? at[step] : undefined;
    return isTomlTable(at) ? at[step] : undefined;
  }, table);
}
