import assert from 'node:assert/strict';
import test from 'node:test';
import { formatRuntimeId, parseRuntimeId } from '../site/runtime-id.ts';
import type { FindingRules } from './finding-rules.ts';
import { memoryTree } from './memory-tree.ts';
import { openRuntime } from './open-runtime.ts';

/** A table in which everything is a note. */
const notesOnly: FindingRules = {
  all: [],
  judge: (noticed, about) => noticed.map((one) => ({ ...one, level: 'info', about })),
};

const broken: ReadonlyArray<readonly [runtime: string, path: string]> = [
  ['containerd@2.1.1', '/etc/containerd/config.toml'],
  ['k3s@v1.31.4+k3s1', '/etc/rancher/k3s/registries.yaml'],
  ['rke2@v1.31.4+rke2r1', '/etc/rancher/rke2/registries.yaml'],
  ['cri-o@1.34.0', '/etc/containers/registries.conf'],
  ['podman@5.8.2', '/etc/containers/registries.conf'],
  ['docker@28.5.2', '/etc/docker/daemon.json'],
  ['talos@1.13.9', '/system/state/config.yaml'],
];

for (const [name, path] of broken) {
  const id = parseRuntimeId(name);
  test(`${formatRuntimeId(id)} judges by the table of rules that it is given`, async () => {
    const rules = await openRuntime(id, Promise.resolve(notesOnly));
    const tree = memoryTree({ [path]: '{ [' });

    const linted = await rules.lint(tree, { mode: 'offline' });
    const { findings } = await (await rules.openNode(tree)).pullChain('docker.io/library/nginx:1');

    for (const found of [linted, findings]) {
      assert.ok(found.length > 0);
      assert.deepEqual(
        found.filter(({ level }) => level !== 'info'),
        [],
      );
    }
  });
}
