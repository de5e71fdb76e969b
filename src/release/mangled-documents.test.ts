import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { collectDocuments } from '../documents/read-documents.ts';
import { readAsset } from '../shared/assets.ts';
import { sourcePolicyKind } from './check-policy.ts';
import { releaseKind } from './check-release.ts';
import { lockKind } from './lock-document.ts';
import { loadMatrix } from './matrix.ts';

const kinds = [releaseKind(await loadMatrix()), sourcePolicyKind, lockKind] as const;
const texts = [
  await readAsset('data/starter/release.yaml'),
  await readAsset('data/starter/policy.yaml'),
];
const pieces = [
  '',
  ' ',
  '\n',
  '\t',
  '- ',
  ': ',
  '{',
  '}',
  '[',
  ']',
  '"',
  '*a',
  '&a ',
  '!x ',
  '~',
  '1.30',
  '|\n',
  '? ',
  '---\n',
  '<<: ',
  '\u0000',
  '__proto__: 1\n',
  'null',
  '...\n',
  '%YAML 1.1\n',
  '#',
];

test('a document that somebody mangled gives problems with places, never a crash', () => {
  const text = fc.constantFrom(...texts);
  const edit = fc.tuple(fc.nat(), fc.nat(20), fc.constantFrom(...pieces));
  fc.assert(
    fc.property(text, fc.array(edit, { minLength: 1, maxLength: 3 }), (start, edits) => {
      const content = edits.reduce((before, [seed, removed, inserted]) => {
        const at = seed % (before.length + 1);
        return before.slice(0, at) + inserted + before.slice(at + removed);
      }, start);

      const { documents, problems } = collectDocuments([{ file: 'f.yaml', content }], kinds);

      assert.ok(documents.length + problems.length > 0);
      const lines = content.split('\n').length;
      for (const { line, column, message, code } of problems) {
        assert.ok(line >= 1 && line <= lines && column >= 1, `${code} at ${line}:${column}`);
        assert.doesNotMatch(message, /undefined|\[object/, code);
      }
    }),
    { numRuns: 120 },
  );
});

test('values of any shape in any field give problems, never a crash', () => {
  const header = 'apiVersion: slipway.dev/v1alpha1\n';
  const kind = fc.constantFrom('Release', 'SourcePolicy', 'Lock');
  const names = fc.constantFrom(
    'name',
    'images',
    'ref',
    'chart',
    'files',
    'spec',
    'metadata',
    'components',
    'classes',
    'registries',
    'platforms',
    'x',
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('linux/amd64', 'v1.28.8', '', 'a:1', null, true, 3),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(names, tie('any'), { maxKeys: 5, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(
    fc.property(kind, value, value, (name, metadata, spec) => {
      const content = `${header}kind: ${name}\nmetadata: ${JSON.stringify(metadata)}\nspec: ${JSON.stringify(spec)}\n`;

      const { documents, problems } = collectDocuments([{ file: 'f.yaml', content }], kinds);

      assert.ok(documents.length + problems.length > 0);
      for (const { message, code } of problems)
        assert.doesNotMatch(message, /undefined|\[object/, code);
    }),
    { numRuns: 120 },
  );
});
