import assert from 'node:assert/strict';
import test from 'node:test';
import { parseRuntimeId } from '../../../site/runtime-id.ts';
import { loadFileFacts } from '../../files/file-facts.ts';
import { ruleFileOf } from '../../files/node-runtimes.ts';
import { memoryTree } from '../../memory-tree.ts';
import { openRuntime } from '../../open-runtime.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import { noMirrors } from './no-mirrors.ts';

const bare = [
  ['containerd@2.1.1', '/etc/containerd/config.toml', 'version = 3\n'],
  ['k3s@v1.31.13+k3s1', '/etc/rancher/k3s/config.yaml', 'write-kubeconfig-mode: "0644"\n'],
  ['cri-o@1.33.5', '/etc/crio/crio.conf', '[crio.runtime]\n'],
  ['docker@28.5.2', '/etc/docker/daemon.json', '{"debug": true}'],
  ['talos@1.11.6', '/system/state/config.yaml', 'machine:\n  type: worker\n'],
] as const;

async function found(runtime: string, files: Readonly<Record<string, string>>, site: LintedSite) {
  const id = parseRuntimeId(runtime);
  const ruleFile = ruleFileOf(id.name, await loadFileFacts());
  return noMirrors(memoryTree(files), await openRuntime(id), site, ruleFile);
}

for (const [runtime, path, text] of bare) {
  test(`${runtime} without any mirror rule leaves the site at every pull (S002)`, async () => {
    const offline = await found(runtime, { [path]: text }, { mode: 'offline' });
    const online = await found(runtime, { [path]: text }, { mode: 'online' });

    const seen = [...offline, ...online].map(({ rule, level }) => [rule, level]);
    assert.deepEqual(seen, [
      ['S002', 'error'],
      ['S002', 'info'],
    ]);
  });
}

test('one registry with a mirror is enough to be no node without rules', async () => {
  const hosts = '[host."https://m.example"]\n  capabilities = ["pull", "resolve"]\n';
  const files = {
    '/etc/containerd/config.toml':
      'version = 3\n[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "/etc/containerd/certs.d"\n',
    '/etc/containerd/certs.d/quay.io/hosts.toml': hosts,
  };

  assert.deepEqual(await found('containerd@2.1.1', files, { mode: 'offline' }), []);
});
