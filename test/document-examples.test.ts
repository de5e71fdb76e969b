import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { readDocuments } from '../src/documents/read-documents.ts';
import { sourcePolicyKind } from '../src/release/check-policy.ts';
import { releaseKind } from '../src/release/check-release.ts';
import { lockKind } from '../src/release/lock-document.ts';
import { loadMatrix } from '../src/release/matrix.ts';
import { siteKind } from '../src/site/check-site.ts';

const kinds = [releaseKind(await loadMatrix()), sourcePolicyKind, siteKind, lockKind] as const;

for (const page of ['release', 'source-policy', 'site', 'lock']) {
  test(`the example on the page of ${page} is a document that is read without a problem`, async () => {
    const path = new URL(`../docs/reference/documents/${page}.md`, import.meta.url);
    const blocks = (await readFile(path, 'utf8')).matchAll(/^```yaml\n(.*?)^```$/gms);
    const examples = Array.from(blocks, ([, text = '']) => text);

    assert.ok(examples.length > 0);
    for (const example of examples) {
      assert.equal(readDocuments(example, `${page}.md`, kinds).length, 1);
    }
  });
}
