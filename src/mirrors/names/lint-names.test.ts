import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { RuleId } from '../finding-rules.ts';
import { lintNames } from './lint-names.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const long = `reg.example/${'a'.repeat(250)}`;

/** A name that breaks one rule, and the same name as it should be. */
interface NameCase {
  readonly what: string;
  readonly rule: RuleId<'names'>;
  readonly wrong: string;
  readonly right: string;
  /** True where the change is safe: the name that was meant is clear. */
  readonly isMended?: true;
}

const cases: readonly NameCase[] = [
  {
    what: 'a scheme',
    rule: 'N001',
    wrong: 'https://quay.io/a:1',
    right: 'quay.io/a:1',
    isMended: true,
  },
  {
    what: 'a transport',
    rule: 'N001',
    wrong: 'docker://quay.io/a',
    right: 'quay.io/a',
    isMended: true,
  },
  {
    what: 'upper case in the repository',
    rule: 'N001',
    wrong: 'ghcr.io/OWNER/app:V1',
    right: 'ghcr.io/owner/app:V1',
    isMended: true,
  },
  { what: 'a variable', rule: 'N001', wrong: '$REGISTRY/app:1', right: 'reg.example/app:1' },
  {
    what: 'a template',
    rule: 'N001',
    wrong: 'quay.io/app:{{ .Values.tag }}',
    right: 'quay.io/app:1',
  },
  {
    what: 'a blank inside',
    rule: 'N001',
    wrong: 'quay.io/a :1',
    right: 'quay.io/a:1',
    isMended: true,
  },
  { what: 'the id of an image', rule: 'N001', wrong: 'a'.repeat(64), right: `quay.io/a@${digest}` },
  { what: 'a tag that is none', rule: 'N001', wrong: 'quay.io/a:-1', right: 'quay.io/a:1' },
  {
    what: 'no registry',
    rule: 'N002',
    wrong: 'nginx',
    right: 'docker.io/library/nginx:latest',
    isMended: true,
  },
  {
    what: 'an IPv6 registry',
    rule: 'N002',
    wrong: '[fd00::1]:5000/a:1',
    right: 'reg.example:5000/a:1',
  },
  {
    what: 'upper case in the registry',
    rule: 'N002',
    wrong: 'MyHost/a:1',
    right: 'myhost.example/a:1',
  },
  { what: 'too long with its registry', rule: 'N002', wrong: long, right: long.slice(0, 255) },
  {
    what: 'a tag beside a digest',
    rule: 'N003',
    wrong: `quay.io/a:1@${digest}`,
    right: `quay.io/a@${digest}`,
    isMended: true,
  },
  {
    what: 'a namespace for a host',
    rule: 'N004',
    wrong: 'myhost/app:1',
    right: 'myhost.example/app:1',
  },
];

const said = (text: string) =>
  lintNames({ kind: 'images', file: 'images.txt', text }).map(
    ({ rule, origin }) => `${rule} :${origin.line}:${origin.column}`,
  );

for (const { what, rule, wrong, right, isMended } of cases) {
  test(`${rule}: ${what}`, () => {
    assert.deepEqual(said(`# names\n  ${wrong}\n`), [`${rule} :2:3`]);
  });

  test(`nothing is found once ${rule} is mended: ${what}`, () => {
    assert.deepEqual(said(`${right}\n`), []);
  });

  test(`${rule}: ${isMended === true ? 'the name that was meant is offered' : 'no name is guessed'}: ${what}`, () => {
    const text = `a: 1\nimage: "${wrong}"\n`;
    const [finding] = lintNames({ kind: 'manifest', file: 'pod.yaml', text });
    const { mend } = finding ?? {};

    assert.equal(mend !== undefined, isMended === true);
    if (mend?.kind !== 'edit') return;
    const changed = mend.edits.reduce(
      (whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end),
      text,
    );
    assert.equal(changed, `a: 1\nimage: "${right}"\n`);
  });
}

test('every rule of names has a case', () => {
  assert.deepEqual([...new Set(cases.map(({ rule }) => rule))], ['N001', 'N002', 'N003', 'N004']);
});

test('three wrong names at a time still give each rule at its line', () => {
  for (const three of fc.sample(fc.subarray([...cases], { minLength: 3, maxLength: 3 }), {
    seed: 4,
    numRuns: 100,
  })) {
    const manifest = three
      .map(({ wrong }) => `spec: {containers: [{image: '${wrong}'}]}`)
      .join('\n---\n');
    const list = three.map(({ wrong }) => wrong).join('\n');

    const inManifest = lintNames({ kind: 'manifest', file: 'f', text: manifest });
    const wanted = three.map(({ rule }, index) => `${rule} ${index}`);
    assert.deepEqual(
      said(list).map((one, index) => `${one.slice(0, 4)} ${index}`),
      wanted,
    );
    assert.deepEqual(
      inManifest.map(({ rule, origin }) => `${rule} ${((origin.line ?? 0) - 1) / 2}`),
      wanted,
    );
  }
});
