import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import test from 'node:test';
import { generatedPages } from '../scripts/reference/pages.ts';
import { documentKindNames, loadDocumentSchemas } from '../src/cli/document-kinds.ts';
import { exitCodes, signalExitCodes } from '../src/cli/exit-codes.ts';

const root = new URL('..', import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** The modules of `src` that fit a pattern, with everything they export. */
async function modules(pattern: string): Promise<readonly (readonly [string, object])[]> {
  const found: [string, object][] = [];
  for await (const path of glob(pattern, { cwd: root })) {
    // A dynamic import is typed `any`; a module is always an object.
    found.push([path, (await import(new URL(path, root).href)) as object]);
  }
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

function codeOf(exported: unknown): string | undefined {
  if (typeof exported !== 'function' || !('code' in exported)) return undefined;
  return String(exported.code);
}

function keysOf(table: unknown): readonly string[] {
  return typeof table === 'object' && table !== null ? Object.keys(table) : [];
}

async function codesInSource(): Promise<readonly string[]> {
  const errors = await modules('src/**/errors.ts');
  const tables = await modules('src/**/problem-codes.ts');
  return [
    ...errors.flatMap(([, module]) => Object.values(module).flatMap((one) => codeOf(one) ?? [])),
    ...tables.flatMap(([, module]) =>
      'problemCodes' in module ? keysOf(module.problemCodes) : [],
    ),
  ];
}

test('every code of an error or problem has one entry in the reference, and no entry is left over', async () => {
  const documented = [...read('docs/reference/errors.md').matchAll(/^### (\S+)$/gm)];

  const entries = documented.map((match) => match[1] ?? '').toSorted();
  const codes = (await codesInSource()).toSorted();

  const missing = codes.filter((code) => !entries.includes(code));
  assert.deepEqual(missing, [], 'codes without an entry');
  assert.deepEqual(entries, codes, 'entries without a code, or codes that two areas use');
});

test('the files that hold errors export nothing else', async () => {
  for (const [path, module] of await modules('src/**/errors.ts')) {
    // The one that defines what an error is.
    if (path === 'src/shared/errors.ts') continue;
    const others = Object.entries(module).filter(([, one]) => codeOf(one) === undefined);

    assert.deepEqual(
      others.map(([name]) => name),
      [],
      path,
    );
  }
});

test('every exit code is explained', () => {
  const rows = [...read('docs/reference/exit-codes.md').matchAll(/^\| (\d+) \| (\w+) \|/gm)];

  const explained = new Map(rows.map(([, code, name]) => [name ?? '', Number(code)]));

  const used = Object.entries({ ...exitCodes, ...signalExitCodes });
  assert.deepEqual(explained, new Map(used));
});

test('the generated pages are fresh; else run: npm run docs', async () => {
  for (const { path, render } of await generatedPages()) {
    const before = existsSync(new URL(path, root)) ? read(path) : '';

    assert.equal(before, render(before), `${path} is stale`);
  }
});

test('the kinds that the schema command offers are the ones there are', async () => {
  const kinds = (await loadDocumentSchemas()).map(({ kind }) => kind);

  assert.deepEqual(kinds, [...documentKindNames]);
});
