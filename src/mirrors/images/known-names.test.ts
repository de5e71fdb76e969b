import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { knownImage } from '../../../test/support/image-lint-cases.ts';
import { applyTextEdits } from '../../documents/text-edit.ts';
import type { RuleId } from '../finding-rules.ts';
import { lintNames } from '../names/lint-names.ts';
import { type KnownImages, NOTHING_KNOWN, withNames } from './known-images.ts';
import { nameJudge } from './known-names.ts';

/** The Site has openssl under its path, the controller under a short name, and nginx under both. */
const known: KnownImages = {
  images: [
    knownImage('docker.io/library/openssl:1', 'platform/library/openssl'),
    knownImage('registry.k8s.io/capi/controller:v1', 'platform/controller'),
    knownImage('quay.io/team/app:latest', 'platform/team/app'),
    knownImage('quay.io/o/k:1', 'platformer/k'),
  ],
  siteHosts: new Set(['site.example']),
  projects: ['site.example/platform'],
};

interface NameCase {
  readonly rule: RuleId<'images'>;
  readonly wrong: string;
  readonly right: string;
  /** False where a person must decide. */
  readonly isMended: boolean;
}

const cases: readonly NameCase[] = [
  {
    rule: 'I002',
    wrong: 'site.example/platform/openssl:1',
    right: 'site.example/platform/library/openssl:1',
    isMended: false,
  },
  {
    rule: 'I003',
    wrong: 'docker.io/openssl:1',
    right: 'docker.io/library/openssl:1',
    isMended: true,
  },
  {
    rule: 'I003',
    wrong: 'index.docker.io/library/openssl:1',
    right: 'docker.io/library/openssl:1',
    isMended: true,
  },
  {
    rule: 'I003',
    wrong: 'quay.io/team/app',
    right: 'quay.io/team/app:latest',
    isMended: true,
  },
  {
    rule: 'I004',
    wrong: 'site.example/platformcontroller:v1',
    right: 'site.example/platform/controller:v1',
    isMended: true,
  },
  {
    rule: 'I004',
    wrong: 'site.example/platformteam/app:other',
    right: 'site.example/platform/team/app:other',
    isMended: true,
  },
  {
    rule: 'I004',
    wrong: 'site.example/platformopenssl:1',
    right: 'site.example/platform/library/openssl:1',
    isMended: false,
  },
];

const lint = (text: string, images = known) =>
  lintNames({ kind: 'images', file: 'images.txt', text }, undefined, nameJudge(images));
const said = (text: string, images = known) =>
  lint(text, images).map(({ rule, origin }) => `${rule} :${origin.line}:${origin.column}`);

for (const { rule, wrong, right, isMended } of cases) {
  test(`${rule}: ${wrong}`, () => {
    const text = `# names\n  ${wrong}\n`;

    const [finding, second] = lint(text);

    assert.deepEqual(said(text), [`${rule} :2:3`]);
    assert.equal(second, undefined);
    const { mend } = finding ?? {};
    assert.equal(mend !== undefined, isMended);
    if (mend?.kind === 'edit') {
      assert.equal(applyTextEdits(text, mend.edits), `# names\n  ${right}\n`);
    }
  });

  test(`nothing is found once ${rule} is mended: ${wrong}`, () => {
    assert.deepEqual(said(right), []);
  });

  test(`without images nothing is found in ${wrong}`, () => {
    assert.deepEqual(said(wrong, NOTHING_KNOWN), []);
  });
}

test('three wrong names at a time still give each rule at its line', () => {
  const some = fc.subarray([...cases], { minLength: 3, maxLength: 3 });
  for (const three of fc.sample(some, { seed: 4, numRuns: 100 })) {
    const text = three.map(({ wrong }) => wrong).join('\n');

    assert.deepEqual(
      said(text),
      three.map(({ rule }, index) => `${rule} :${index + 1}:1`),
    );
  }
});

test('a project whose name begins like another one is no missing slash', () => {
  assert.deepEqual(said('site.example/platformer/k:1\nsite.example/platform-tools/x:1\n'), []);
});

test('a name without a slash at all is not taken for one of Docker Hub', () => {
  const bare = { ...known, projects: ['site.example'] };

  const [finding] = lint('site.exampleplatform/controller:v1', bare);

  assert.equal(finding?.rule, 'I004');
});

test('a list and a manifest that spell an image in two ways are told so, each alone is not', () => {
  const list = withNames(NOTHING_KNOWN, ['docker.io/library/nginx:1'], 'images.txt');

  const [finding] = lint('docker.io/nginx:1', list);

  assert.equal(finding?.rule, 'I003');
  assert.match(
    finding?.message ?? '',
    /^images\.txt has this image as docker\.io\/library\/nginx:1/,
  );
  assert.deepEqual(
    said('docker.io/nginx:1', withNames(NOTHING_KNOWN, ['docker.io/nginx:1'], 'images.txt')),
    [],
  );
});

test('what is wrong with a name in itself is said alone', () => {
  assert.deepEqual(said('openssl:1'), ['N002 :1:1']);
});
