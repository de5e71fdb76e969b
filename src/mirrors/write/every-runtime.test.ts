import assert from 'node:assert/strict';
import test from 'node:test';
import { harbor, nodeWith } from '../../../test/support/mirror-node.ts';
import { reachableHosts } from '../../../test/support/node-chain.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { openNode } from '../../../test/support/open-node.ts';
import { startRun } from '../../shared/run.ts';
import { parseRuntimeId } from '../../site/runtime-id.ts';
import { directoryTree } from '../directory-tree.ts';
import { explainImage } from '../explain/explain-image.ts';
import type { MirrorRule } from '../mirror-rule.ts';
import { undoLastChange } from './change-node.ts';
import { writeMirrors } from './write-mirrors.ts';

const hub: MirrorRule = { registry: 'docker.io', targets: [harbor], fallback: false };
const quay: MirrorRule = { registry: 'quay.io', targets: [harbor], fallback: false };

/** Each runtime, and files of somebody else in the places where it is told what to do. */
const nodes: ReadonlyArray<readonly [runtime: string, files: Record<string, string>]> = [
  ['containerd@2.1.9', { '/etc/containerd/config.toml': 'version = 3\n# mine\n' }],
  [
    'k3s@v1.28.8+k3s1',
    {
      '/etc/rancher/k3s/registries.yaml':
        'mirrors:\n  mine.example:\n    endpoint: ["https://m.example"]\n',
    },
  ],
  ['rke2@v1.30.2+rke2r1', { '/etc/rancher/rke2/registries.yaml': '# mine\nconfigs: {}\n' }],
  [
    'cri-o@1.31.0',
    { '/etc/containers/registries.conf': 'unqualified-search-registries = ["docker.io"]\n' },
  ],
  [
    'podman@5.2.0',
    { '/etc/containers/registries.conf': '[[registry]]\nlocation = "mine.example"\n' },
  ],
  ['docker@29.0.0', { '/etc/docker/daemon.json': '{\n  "debug": true\n}\n' }],
  ['talos@1.9.0', {}],
];

for (const [name, foreign] of nodes) {
  for (const files of [{}, foreign]) {
    const whose = files === foreign ? 'a node that others configured' : 'an empty node';
    const runtime = parseRuntimeId(name);

    test(`${name} on ${whose}: a rule more, a rule less, all off, byte for byte (R0-106)`, async (t) => {
      const root = await nodeWith(t, files);
      const before = await nodeFingerprint(root);
      const write = (rules: readonly MirrorRule[]) =>
        writeMirrors({ root, runtime, rules, replaceForeign: true, dryRun: false }, startRun());

      await write([hub]);
      const one = await nodeFingerprint(root);
      await write([hub, quay]);
      await write([hub]);
      const again = await nodeFingerprint(root);
      await write([]);

      assert.deepEqual(again, one);
      assert.deepEqual(await nodeFingerprint(root), before);
      const node = await openNode(directoryTree(root), runtime);
      assert.deepEqual(reachableHosts(await node.pullChain('cr.openfuyao.cn/a:1')), [
        'cr.openfuyao.cn',
      ]);
    });

    test(`${name} on ${whose}: an undo leaves it as it was`, async (t) => {
      const root = await nodeWith(t, files);
      const before = await nodeFingerprint(root, true);
      const order = { root, runtime, rules: [hub, quay], replaceForeign: true, dryRun: false };

      await writeMirrors(order, startRun());
      await undoLastChange(root);

      assert.deepEqual(await nodeFingerprint(root, true), before);
    });
  }

  test(`${name}: what was written is explained with its line, and nothing leaves the site`, async (t) => {
    const root = await nodeWith(t);
    const runtime = parseRuntimeId(name);
    const order = { root, runtime, rules: [hub, quay], replaceForeign: false, dryRun: false };
    await writeMirrors(order, startRun());

    const chain = await (await openNode(directoryTree(root), runtime)).pullChain('quay.io/a/b:1');
    const { answer, requests, skipped } = explainImage(chain, { site: undefined, assumed: [] });

    assert.deepEqual(answer, { kind: 'pulls', from: harbor.host, leaves: [], mayLeave: false });
    assert.deepEqual(
      requests.map(({ url }) => url.replace(/\?.*/, '')),
      ['https://harbor.example:5000/v2/platform/a/b/manifests/1'],
    );
    assert.ok(requests.every(({ origin }) => origin.line !== undefined));
    assert.ok(skipped.length > 0, 'it is said that quay.io is not asked');
  });
}
