import assert from 'node:assert/strict';
import test from 'node:test';
import { readDocuments } from '../documents/read-documents.ts';
import { readAsset } from '../shared/assets.ts';
import { sourcePolicyKind } from './check-policy.ts';
import { releaseKind } from './check-release.ts';
import { loadMatrix } from './matrix.ts';

const kinds = [releaseKind(await loadMatrix()), sourcePolicyKind] as const;

/** A starter document with every commented example switched on. */
function uncommented(text: string): string {
  const isExample = /^( *)# (?=( *)(- | {2}|[a-z][A-Za-z0-9.]*:( |$)|registry[.]))/;
  return text
    .split('\n')
    .map((line) => (/^# /.test(line) ? line : line.replace(isExample, '$1')))
    .join('\n');
}

for (const [file, kind] of [
  ['release.yaml', 'Release'],
  ['policy.yaml', 'SourcePolicy'],
] as const) {
  test(`the starter ${file} is right, as it is and with its examples switched on`, async () => {
    const text = await readAsset(`data/starter/${file}`);
    const everything = uncommented(text);

    assert.deepEqual(
      readDocuments(text, file, kinds).map((each) => each.kind),
      [kind],
    );
    const [all] = readDocuments(everything, file, kinds);
    assert.equal(all?.kind, kind);
    if (all?.kind === 'Release') {
      assert.deepEqual([all.value.spec.components?.length, all.value.spec.files?.length], [4, 1]);
    } else {
      assert.equal(Object.keys(all?.value.spec.registries ?? {}).length, 2);
    }
  });
}
