import assert from 'node:assert/strict';
import test from 'node:test';
import type { Finding } from '../src/mirrors/finding.ts';
import { joinFiles, type LintCase } from './support/lint-case.ts';
import { type TripleChoice, tripleWith } from './support/lint-triples.ts';

const cases = ['a', 'b', 'c', 'd', 'e'].map(
  (name): LintCase => ({
    ...{ what: name, rule: 'C001', at: `/${name}` },
    ...{ wrong: { [`/${name}`]: 'wrong' }, right: { [`/${name}`]: 'right' } },
  }),
);
const [first, second, third] = cases;

/** A linter that finds each file that says so, unless it is for another version. */
function choiceOf(more: Partial<TripleChoice<LintCase>> = {}): TripleChoice<LintCase> {
  return {
    cases,
    side: 'wrong',
    settings: () => undefined,
    combine: (some, side) => {
      const files = joinFiles(some.map((one) => one[side]));
      return files && { files, at: some.map(({ at }) => at) };
    },
    lint: async (files) =>
      Object.entries(files).flatMap(([file, text]) => (text === 'wrong' ? [found(file)] : [])),
    ...more,
  };
}

function found(file: string): Finding {
  return {
    rule: 'C001',
    level: 'warn',
    about: 'registry rules',
    message: '',
    fix: '',
    origin: { file },
  };
}

const names = (triple: Awaited<ReturnType<typeof tripleWith>>) =>
  triple?.cases.map(({ what }) => what);

test('each case stands beside two others, the same ones each time, and not all beside the same', async () => {
  const all = await Promise.all(cases.map((one) => tripleWith(one, choiceOf())));
  const again = await Promise.all(cases.map((one) => tripleWith(one, choiceOf())));

  for (const [index, one] of cases.entries()) {
    assert.equal(new Set(names(all[index])).size, 3);
    assert.ok(names(all[index])?.includes(one.what));
  }
  assert.deepEqual(all.map(names), again.map(names));
  assert.ok(new Set(all.map((triple) => names(triple)?.toSorted().join())).size > 2);
});

test('a case that no two others can stand beside has no triple', async () => {
  const lonely = choiceOf({
    combine: (some, side) =>
      some.length > 2 && some.some(({ what }) => what === 'a')
        ? undefined
        : choiceOf().combine(some, side),
  });

  assert.ok(first && second);
  assert.equal(await tripleWith(first, lonely), undefined);
  assert.equal(names(await tripleWith(second, lonely))?.includes('a'), false);
});

test('beside a case of one version stand those that are found in it too', async () => {
  assert.ok(third);
  const old = { ...third, version: '1.0' };
  const { lint } = choiceOf();
  const choice = choiceOf({
    cases: cases.map((one) => (one === third ? old : one)),
    lint: async (files, { version }) =>
      (await lint(files, {})).filter(
        ({ origin }) => version !== '1.0' || !['/a', '/b'].includes(origin.file ?? ''),
      ),
  });

  const triple = await tripleWith(old, choice);

  assert.equal(triple?.version, '1.0');
  assert.deepEqual(names(triple)?.toSorted(), ['c', 'd', 'e']);
});

test('where a case sets something for the node, those stand beside it that still hold under that', async () => {
  assert.ok(first);
  const setting = { ...first, right: { '/a': 'right', '/option': 'on' } };
  const choice = choiceOf({
    side: 'right',
    cases: cases.map((one) => (one === first ? setting : one)),
    settings: (one) => (one.what === 'a' ? { wrong: {}, right: { '/option': 'on' } } : undefined),
    lint: async (files) =>
      '/option' in files && ('/b' in files || '/d' in files) ? [found('/b')] : [],
  });

  assert.deepEqual(names(await tripleWith(setting, choice))?.toSorted(), ['a', 'c', 'e']);
});
