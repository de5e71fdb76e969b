/** What Slipway writes itself: under every layout that rules can express, images are found by name. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { parseRuntimeId } from '../../site/runtime-id.ts';
import type { Layout, Site } from '../../site/site.ts';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import { rulesFor } from '../write/rules-for.ts';
import { judgeImages } from './judge-images.ts';
import { imagesOfLock, registriesOf } from './known-images.ts';

const { lock } = sampleLock();

function siteWith(publish: readonly Layout[]): Site {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Site',
    metadata: { name: 'plant-7' },
    spec: {
      mode: 'online',
      sources: 'single',
      registries: {
        main: {
          address: 'harbor.example/platform',
          seenFrom: { nodes: '10.0.0.5:5443' },
          publish: [...publish],
          projects: { redistributable: 'open' },
        },
      },
    },
  };
}

async function judged(id: string, written: Site, judgedBy: Site) {
  const runtime = parseRuntimeId(id);
  const rules = await openRuntime(runtime);
  const mirrors = rulesFor(written, lock, { authorities: new Map(), skipVerify: false });
  const { wanted } = await rules.compile(memoryTree({}), mirrors, undefined);
  const tree = memoryTree(Object.fromEntries(wanted.map(({ path, content }) => [path, content])));
  return judgeImages(await rules.openNode(tree), imagesOfLock(lock, judgedBy), runtime.name);
}

const runtimes = [
  'containerd@1.7.20',
  'containerd@2.1.1',
  'k3s@v1.28.8+k3s1',
  'rke2@v1.30.2+rke2r1',
  'cri-o@1.31.0',
  'podman@5.2.0',
  'talos@1.9.0',
];

for (const id of runtimes) {
  test(`${id}: nothing is found in rules that Slipway wrote, and all in those for another layout`, async () => {
    for (const layout of ['keep-path', 'keep-host', 'projects'] as const) {
      const site = siteWith([layout, 'flat']);

      assert.deepEqual(await judged(id, site, site), [], layout);
    }

    const wrong = await judged(id, siteWith(['keep-path']), siteWith(['keep-host']));

    const found = [...new Set(wrong.map(({ rule }) => rule))];
    assert.deepEqual(found, ['I002']);
  });
}

test('the registries of a Lock are those that its images are named after', () => {
  assert.deepEqual(registriesOf(imagesOfLock(lock, undefined)), [
    'cr.openfuyao.cn',
    'registry.k8s.io',
  ]);
});
