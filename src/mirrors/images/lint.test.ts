import assert from 'node:assert/strict';
import test from 'node:test';
import {
  caseImages,
  combineContainerd,
  combineK3s,
  containerdImageCases,
  k3sImageCases,
  knownImage,
} from '../../../test/support/image-lint-cases.ts';
import { assertEveryRule, testLintCases } from '../../../test/support/lint-cases.ts';
import { parseRuntimeId } from '../../site/runtime-id.ts';
import { formatOrigin } from '../finding.ts';
import { loadFindingRules } from '../finding-rules.ts';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import type { RuntimeRules } from '../runtime-rules.ts';
import { judgeImages } from './judge-images.ts';
import { type KnownImages, NOTHING_KNOWN } from './known-images.ts';

/** Rules whose lint knows the images, as that of `mirrors lint --lock` does. */
async function openWith(images: KnownImages, id: string): Promise<RuntimeRules> {
  const runtime = parseRuntimeId(id);
  const rules = await openRuntime(runtime);
  const { judge } = await loadFindingRules();
  return {
    ...rules,
    lint: async (tree, site) => {
      const noticed = await judgeImages(await rules.openNode(tree), images, runtime.name);
      return [...(await rules.lint(tree, site)), ...judge(noticed, 'registry rules')];
    },
  };
}

testLintCases({
  runtime: 'images on containerd',
  open: () => openWith(caseImages, 'containerd@2.1.1'),
  cases: containerdImageCases,
  combine: combineContainerd,
});

testLintCases({
  runtime: 'images on k3s',
  open: () => openWith(caseImages, 'k3s@v1.31.4+k3s1'),
  cases: k3sImageCases,
  combine: combineK3s,
});

test('every rule about images and mirrors has a wrong file and its corrected twin', () => {
  assertEveryRule(containerdImageCases, 'images', ['I001', 'I002', 'I005']);
  assertEveryRule(k3sImageCases, 'images', ['I001', 'I002', 'I005']);
});

test('without images nothing is found in any of the wrong files', async () => {
  for (const [id, cases] of [
    ['containerd@2.1.1', containerdImageCases],
    ['k3s@v1.31.4+k3s1', k3sImageCases],
  ] as const) {
    const rules = await openWith(NOTHING_KNOWN, id);
    for (const { wrong } of cases) {
      assert.deepEqual(await rules.lint(memoryTree(wrong), { mode: 'online' }), []);
    }
  }
});

const conf = (location: (registry: string) => string) =>
  ['a1.example', 'a2.example']
    .map(
      (name) =>
        `[[registry]]\nlocation = "${name}"\n[[registry.mirror]]\nlocation = "${location(name)}"\n`,
    )
    .join('\n');

async function found(id: string, images: KnownImages, files: Readonly<Record<string, string>>) {
  const all = await (await openWith(images, id)).lint(memoryTree(files), { mode: 'online' });
  return all.filter(({ rule }) => rule.startsWith('I'));
}

const said = ({ rule, origin }: Awaited<ReturnType<typeof found>>[number]) =>
  `${rule} ${formatOrigin(origin)}`;

test('CRI-O sends no ns, and is told its own words for a path', async () => {
  const file = '/etc/containers/registries.conf';

  const wrong = await found('cri-o@1.31.0', caseImages, { [file]: conf(() => 'm.example') });
  const right = await found('cri-o@1.31.0', caseImages, {
    [file]: conf((name) => `m.example/${name}`),
  });

  assert.deepEqual(wrong.map(said), [`I001 ${file}:4:1`, `I001 ${file}:9:1`]);
  assert.doesNotMatch(wrong[0]?.message ?? '', /ns=/);
  assert.match(wrong[0]?.fix ?? '', /location = "m\.example\/a1\.example"/);
  assert.deepEqual(right, []);
});

const together = (digests: readonly [string?, string?]): KnownImages => ({
  ...NOTHING_KNOWN,
  images: ['a1.example', 'a2.example'].map((name, index) => {
    const { digest: _, ...image } = knownImage(`${name}/x/app:1`);
    const digest = digests[index];
    return digest === undefined
      ? image
      : { ...image, ...knownImage(image.name, undefined, `sha256:${digest.repeat(64)}`) };
  }),
});
const [sharing] = containerdImageCases;

test('one digest behind both names is no collision', async () => {
  const files = sharing?.wrong ?? {};

  assert.deepEqual(await found('containerd@2.1.1', together(['a', 'a']), files), []);
  assert.equal((await found('containerd@2.1.1', together(['a', 'b']), files)).length, 2);
  assert.equal((await found('containerd@2.1.1', together(['a']), files)).length, 2);
  assert.equal((await found('containerd@2.1.1', together([]), files)).length, 2);
});

test('what is asked for by digest cannot be mistaken', async () => {
  const images = ['a1.example', 'a2.example'].map((name) =>
    knownImage(`${name}/x/app@sha256:${'a'.repeat(64)}`),
  );

  assert.deepEqual(
    await found('containerd@2.1.1', { ...NOTHING_KNOWN, images }, sharing?.wrong ?? {}),
    [],
  );
});

test('an agent on the node may read ns, which is worth a warning only', async () => {
  const files = Object.fromEntries(
    Object.entries(sharing?.wrong ?? {}).map(([path, text]) => [
      path,
      text.replaceAll('https://m1.example', 'http://127.0.0.1:30020'),
    ]),
  );

  const levels = (await found('containerd@2.1.1', caseImages, files)).map(({ level }) => level);

  assert.deepEqual(levels, ['warn', 'warn']);
});

test('the embedded registry of k3s reads ns', async () => {
  const files = {
    '/etc/rancher/k3s/registries.yaml': 'mirrors:\n  a1.example:\n  a2.example:\n',
    '/etc/rancher/k3s/config.yaml': 'embedded-registry: true\n',
  };

  assert.deepEqual(await found('k3s@v1.31.4+k3s1', caseImages, files), []);
});

test('one rule for every registry is one place with all that it mixes up', async () => {
  const text = 'server = "https://m.example"\ncapabilities = ["pull", "resolve"]\n\n[host]\n';
  const main = sharing?.wrong['/etc/containerd/config.toml'] ?? '';
  const files = {
    '/etc/containerd/config.toml': main,
    '/etc/containerd/certs.d/_default/hosts.toml': text,
  };

  const [one, second] = await found('containerd@2.1.1', caseImages, files);

  assert.equal(one && said(one), 'I001 /etc/containerd/certs.d/_default/hosts.toml:1:1');
  assert.equal(second, undefined);
});
