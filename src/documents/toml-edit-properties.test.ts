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

    const after = edited(text, { path, value: 'new "value"' });

    assert.equal(after, `${text.slice(0, item.start)}"new \\"value\\""${text.slice(item.end)}`);
  });
});

test('every table takes a new key, and keeps all comments', () => {
  forEachPlace((text, path) => {
    const scan = scanToml(text);
    const item = tomlItem(scan, path);
    const isTable =
      item === undefined ? scan.root.at(path)?.headers.length : item.kind === 'inline-table';
    if (!isTable) return;
    const key = [...path, 'fresh key'];

    const after = edited(text, { path: key, value: 1 });

    assert.ok(after !== undefined);
    assert.deepEqual(comments(scanToml(after)), comments(scan));
  });
});

test('a table that is not there is made, whatever the document', () => {
  fc.assert(
    fc.property(readable, (text) => {
      const path = ['fresh', 'a.b', 'key'];

      const after = edited(text, { path, value: true });

      assert.ok(after !== undefined);
      assert.ok(after.startsWith(text));
    }),
  );
});
