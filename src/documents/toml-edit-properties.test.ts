/** Changes of random documents: done or refused, never half done, and nothing else moves. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { tomlDocuments } from '../../test/support/toml-documents.ts';
import { parseToml } from './toml.ts';
import { editToml, type TomlEdit } from './toml-edit.ts';
import { allTomlKeys, tomlItem } from './toml-places.ts';
import { scanToml, type TomlScan, type TomlStep } from './toml-scan.ts';

const readable = tomlDocuments.filter((text) => parseToml(text, '').ok);

/** Every path that something is written at, in the order of the file. */
function pathsIn(scan: TomlScan): readonly (readonly TomlStep[])[] {
  return [...scan.headers, ...allTomlKeys(scan.keys)].map(({ steps }) => steps);
}

/** Runs the check with a document and one of its paths. */
function forEachPlace(check: (text: string, path: readonly TomlStep[]) => void): void {
  fc.assert(
    fc.property(readable, fc.nat(), (text, choice) => {
      const paths = pathsIn(scanToml(text));
      const path = paths[choice % Math.max(paths.length, 1)];
      if (path !== undefined) check(text, path);
    }),
    { numRuns: 300 },
  );
}

function edited(text: string, ...edits: TomlEdit[]): string | undefined {
  const result = editToml(text, edits);
  return result.ok ? result.text : undefined;
}

function comments({ text, comments }: TomlScan): readonly string[] {
  return comments.map(({ start, end }) => text.slice(start, end));
}

test('every written value can be set, and only its own characters change', () => {
  forEachPlace((text, path) => {
    const item = tomlItem(scanToml(text), path);
    if (item === undefined) return;

    const after = edited(text, { do: 'set', path, value: 'new "value"' });

    assert.equal(after, `${text.slice(0, item.start)}"new \\"value\\""${text.slice(item.end)}`);
  });
});

test('every table takes a new key, keeps all comments, and loses it again without a trace', () => {
  forEachPlace((text, path) => {
    const scan = scanToml(text);
    const item = tomlItem(scan, path);
    const isTable =
      item === undefined ? scan.root.at(path)?.headers.length : item.kind === 'inline-table';
    if (!isTable) return;
    const key = [...path, 'fresh key'];

    const after = edited(text, { do: 'set', path: key, value: 1 });

    assert.ok(after !== undefined);
    assert.deepEqual(comments(scanToml(after)), comments(scan));
    if (item !== undefined) return;
    const again = edited(after, { do: 'remove', path: key });
    assert.equal(withoutLastEnd(again ?? ''), withoutLastEnd(text));
  });
});

test('every key can be renamed there and back', () => {
  forEachPlace((text, path) => {
    if (typeof path.at(-1) === 'number') return;

    const after = edited(text, { do: 'rename', path, name: 'other.name' });

    const back = [...path.slice(0, -1), 'other.name'];
    assert.ok(after !== undefined);
    const again = edited(after, { do: 'rename', path: back, name: String(path.at(-1)) });
    assert.deepEqual(parseToml(again ?? '', ''), parseToml(text, ''));
  });
});

test('everything can be removed, and the rest keeps its comments and its order', () => {
  let refused = 0;
  forEachPlace((text, path) => {
    const after = edited(text, { do: 'remove', path });

    if (after === undefined) refused += 1;
    else assert.ok(isSubsequence(after.replace(/^\uFEFF/, ''), text));
  });
  assert.ok(refused < 15, `${refused} removals of 300 refused`);
});

test('a table that is not there is made, whatever the document', () => {
  fc.assert(
    fc.property(readable, (text) => {
      const path = ['fresh', 'a.b', 'key'];

      const after = edited(
        text,
        { do: 'set', path, value: true },
        { do: 'add', path: ['list'], value: {} },
      );

      assert.ok(after !== undefined);
      assert.ok(after.startsWith(text));
    }),
  );
});

/** A line added at the very end leaves the line break before it. */
function withoutLastEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const character of short) {
    at = long.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
