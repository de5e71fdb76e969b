import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const root = new URL('..', import.meta.url).pathname;

/** The codes of problems by area, from every `problem-codes.ts`. */
async function tables(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for await (const path of glob('src/**/problem-codes.ts', { cwd: root })) {
    // Every problem-codes.ts exports this one table; a file that does not fails below.
    const module = (await import(pathToFileURL(join(root, path)).href)) as { problemCodes: object };
    found.set(path.replace('/problem-codes.ts', ''), Object.keys(module.problemCodes));
  }
  return found;
}

/** All source text of an area, without tests and tables. */
async function sourceOf(area: string): Promise<string> {
  const texts: string[] = [];
  for await (const path of glob(`${area}/**/*.ts`, { cwd: root })) {
    if (/\.test\.ts$|problem-codes\.ts$/.test(path)) continue;
    texts.push(await readFile(join(root, path), 'utf8'));
  }
  return texts.join('\n');
}

const areas = await tables();

for (const [area, codes] of areas) {
  test(`every problem code of ${area} can occur`, async () => {
    const source = await sourceOf(area);

    assert.deepEqual(
      codes.filter((code) => !source.includes(`'${code}'`)),
      [],
    );
  });
}

test('every code that documents are refused with is in a table or an error class', async () => {
  const known = new Set([...areas.values()].flat());
  for (const area of ['src/documents', 'src/release', 'src/site']) {
    const source = await sourceOf(area);
    const used = Array.from(
      source.matchAll(/(?:code(?::| =)|at\(|#\w+\(node,) '([A-Z][A-Z0-9_]+)'/g),
      ([, code]) => code,
    );
    const classes = Array.from(
      source.matchAll(/defineError<[\s\S]*?code: '([A-Z0-9_]+)'/g),
      ([, code]) => code,
    );

    const unknown = used.filter((code = '') => !known.has(code) && !classes.includes(code));

    assert.ok(used.length > 0);
    assert.deepEqual(unknown, [], area);
  }
});
