import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { configCases } from '../../../test/support/containerd-lint/config-cases.ts';
import { folderCases } from '../../../test/support/containerd-lint/folder-cases.ts';
import { hostsCases } from '../../../test/support/containerd-lint/hosts-cases.ts';
import { ABLE, MAIN, mainFor, node, ROOT } from '../../../test/support/containerd-lint/nodes.ts';
import {
  type CombinedCase,
  joinFiles,
  type LintCase,
  pickFiles,
  type Side,
} from '../../../test/support/lint-case.ts';
import { assertEveryRule, testLintCases } from '../../../test/support/lint-cases.ts';
import { readAsset } from '../../shared/assets.ts';
import { containerdBehaviourFor } from '../containerd-version/behaviour.ts';
import { loadFindingRules, readRuleGroup } from '../finding-rules.ts';
import { mendFiles } from '../lint/fix/mend-files.ts';
import { memoryTree } from '../memory-tree.ts';
import { type Overlay, overlayTree } from '../overlay-tree.ts';
import { containerdRules } from './containerd-rules.ts';

const cases = [...hostsCases, ...folderCases, ...configCases];
const DEFAULT = `${ROOT}/_default/hosts.toml`;
/** Main configurations that only say where the folders are. */
const usualMains = [mainFor('1.7.31'), mainFor('2.1.1')];

async function open(version = '2.1.1') {
  return containerdRules(await containerdBehaviourFor({ name: 'containerd', version }));
}

testLintCases({
  runtime: 'containerd',
  cases,
  open,
  combine: combined,
  settings: (one) => pickFiles(one, (path) => path === DEFAULT),
});

/** Undefined where they cannot stand together. */
function combined(some: readonly LintCase[], side: Side): CombinedCase | undefined {
  const [version = '2.1.1'] = some.flatMap((one) => one.version ?? []);
  const mains = some.flatMap((one) => one[side][MAIN] ?? []);
  const special = new Set(mains.filter((text) => !usualMains.includes(text)));
  const files = joinFiles(some.map((one) => pickFiles(one, (path) => path !== MAIN)[side]));
  if (files === undefined || special.size > 1) return undefined;
  const [main = version.startsWith('1.') ? usualMains[0] : usualMains[1]] = special;
  return { files: { ...files, [MAIN]: main ?? '' }, at: some.map(({ at }) => at) };
}

/** Tables of mirrors with one mistake each: the rule, the lines, and which of them is wrong. */
const fragments: ReadonlyArray<readonly [rule: string, line: number, ...lines: readonly string[]]> =
  [
    ['C003', 3, '[host."https://a.example"]', ABLE.trimEnd(), 'plain_http = true'],
    ['C004', 1, '[host."https://hub.docker.com"]', ABLE.trimEnd()],
    ['C006', 2, '[host."https://b.example"]', 'capabilities = ["pull", "resolve", "push"]'],
    ['C008', 1, '[host."https://c.example/v2/x"]', ABLE.trimEnd()],
    ['C009', 1, '[host."HTTPS://d.example"]', ABLE.trimEnd()],
    ['C010', 3, '[host."https://e.example"]', ABLE.trimEnd(), 'ca = "nope.pem"'],
    ['C012', 3, '[host."http://f.example"]', ABLE.trimEnd(), 'skip_verify = false'],
    ['C013', 1, '[host.g.example]', ABLE.trimEnd()],
    ['C014', 3, '[host."https://h.example"]', ABLE.trimEnd(), 'server = "https://x.example"'],
    ['C023', 1, '[host."https://i.example?x=1"]', ABLE.trimEnd()],
    ['C026', 3, '[host."https://j.example"]', ABLE.trimEnd(), 'header.Authorization = "Basic x:y"'],
    ['C033', 2, '[host."https://k.example"]', 'capabilities = ["resolve"]'],
    ['C038', 1, '[host."https://l.example/x"]', ABLE.trimEnd()],
    ['S001', 3, '[host."https://m.example"]', ABLE.trimEnd(), 'skip_verify = true'],
  ];

test('three mistakes in one file are each found at their line, in any order', async () => {
  const rules = await open();
  const some = fc.shuffledSubarray([...fragments], { minLength: 3, maxLength: 3 });

  await fc.assert(
    fc.asyncProperty(some, async (three) => {
      const lines = ['server = "https://one.example"'];
      const wanted = three.map(([rule, line, ...text]) => {
        const at = lines.length + line;
        lines.push(...text);
        return `${rule} ${ROOT}/one.example/hosts.toml:${at}`;
      });
      const tree = memoryTree(node('one.example', `${lines.join('\n')}\n`));

      const found = await rules.lint(tree, { mode: 'online' });

      const places = found.map(({ rule, origin }) => `${rule} ${origin.file}:${origin.line}`);
      assert.deepEqual(
        wanted.filter((place) => !places.includes(place)),
        [],
      );
      assert.deepEqual(
        places.filter((place) => !wanted.includes(place)),
        [],
      );
    }),
    { seed: 4, numRuns: 60 },
  );
});

test('safe changes of three wrong configurations at once leave none to be made and bring nothing new', async () => {
  const some = fc.shuffledSubarray(cases, { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(some, async (three) => {
      const versions = new Set(three.map(({ version }) => version));
      const modes = new Set(three.map((one) => one.mode));
      fc.pre(versions.size === 1 && modes.size === 1);
      const together = combined(three, 'wrong');
      fc.pre(together !== undefined);
      const base = memoryTree(together.files);
      const [version] = three.flatMap((one) => one.version ?? []);
      const [mode = 'online'] = three.flatMap((one) => one.mode ?? []);
      const rules = await open(version);
      const lint = (changes: Overlay) => rules.lint(overlayTree(base, changes), { mode });

      const { found, left } = await mendFiles({ base, lint, mayBeNamed: () => true });

      const before = new Set(found.map(({ rule }) => rule));
      assert.deepEqual(
        left.filter(({ rule, mend }) => mend !== undefined || !before.has(rule)),
        [],
      );
    }),
    { seed: 4, numRuns: 40 },
  );
});

test('every rule of containerd has a case here', async () => {
  const { all } = await loadFindingRules();
  const elsewhere = ['C027', 'C035'];
  const ids = all.map(({ id }) => id).filter((id) => id.startsWith('C') && !elsewhere.includes(id));

  assertEveryRule(cases, 'containerd', [...ids, 'S001']);
});

test('the data has each rule that code reports, once and in order', async () => {
  const text = await readAsset('data/mirrors/rules/containerd.yaml');

  const damages: readonly (readonly [damaged: string, place: RegExp])[] = [
    [text.replace('id: C025', 'id: C099'), /containerd\.yaml: .*C099/],
    [text.replace(/ {2}- id: C025\n(?: {4}.*\n)+/, ''), /does not have each rule once/],
    [text.replace('level: warn', 'level: bad'), /containerd\.yaml: .*bad/],
  ];
  for (const [damaged, message] of damages) {
    assert.throws(() => readRuleGroup(damaged, 'containerd'), {
      code: 'DOCUMENT_INVALID',
      message,
    });
  }
});
