import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../memory-tree.ts';
import { openNode } from '../open-node.ts';

test('one byte that is not UTF-8, even in a comment, makes containerd discard the file (P3)', async () => {
  const rule = 'server = "https://site.example"\n[host]\n';
  const folder = '/etc/containerd/certs.d/registry.k8s.io';
  const hosts = (comment: Uint8Array) => Buffer.concat([comment, Buffer.from(rule)]);
  const hostsOf = async (comment: Uint8Array) => {
    const config =
      'version = 3\n[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "/etc/containerd/certs.d"\n';
    const tree = memoryTree({
      '/etc/containerd/config.toml': config,
      [`${folder}/hosts.toml`]: hosts(comment),
    });
    const node = await openNode(tree, { name: 'containerd', version: '2.1.9' });
    const chain = await node.pullChain('registry.k8s.io/pause:3.9');
    return chain.kind === 'endpoints' ? chain.endpoints.map(({ host }) => host) : [];
  };

  assert.deepEqual(await hostsOf(Buffer.from('# fur\n')), ['site.example']);
  assert.deepEqual(await hostsOf(Buffer.from('# f\xfcr\n', 'latin1')), ['registry.k8s.io']);
});
