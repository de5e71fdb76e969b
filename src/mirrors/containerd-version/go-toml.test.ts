import assert from 'node:assert/strict';
import test from 'node:test';
import { openNode } from '../../../test/support/open-node.ts';
import { readHostsFile } from '../hosts-toml/read/hosts-file.ts';
import { memoryTree } from '../memory-tree.ts';
import { loadContainerdVersions } from './behaviour.ts';
import { decodeGoToml } from './go-toml.ts';

async function decode(bytes: string, version: string) {
  const behaviour = (await loadContainerdVersions()).behaviourOf(version);
  return decodeGoToml(Buffer.from(bytes), behaviour, () => true);
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');

const readers = async (text: string) => {
  const found: string[] = [];
  for (const version of ['1.6.39', '1.7.34', '2.0.14', '2.2.9', '2.3.7', '2.4.2']) {
    if ((await decode(text, version)).ok) found.push(version);
  }
  return found;
};

test('each line reads the TOML of its own library', async () => {
  assert.deepEqual(await readers('a = "\\x62"\n'), ['2.4.2']);
  assert.deepEqual(await readers('a = {b = 1,}\n'), ['2.4.2']);
  assert.deepEqual(await readers('a = 23:59:60\n'), ['2.0.14', '2.2.9']);
  assert.deepEqual(await readers('[a.b.c]\n[a]\nb.d = 1\n'), [
    ...['1.6.39', '1.7.34', '2.0.14', '2.2.9', '2.3.7'],
  ]);
  assert.deepEqual(await readers('a = 01\n'), ['1.6.39', '1.7.34']);
});

test('2.x reads a hosts.toml with an odd day in a key that it does not know', async () => {
  const kindOf = async (text: string, version: string) => {
    const behaviour = (await loadContainerdVersions()).behaviourOf(version);
    const source = { bytes: Buffer.from(text), path: '/h/hosts.toml', folder: '/h' };
    return readHostsFile(source, behaviour).kind;
  };
  const unknown = '[host."https://m.example"]\nsince = 2026-02-30\n';
  const known = '[host."https://m.example"]\nca = 2026-02-30\n';

  assert.equal(await kindOf(unknown, '1.7.34'), 'discarded');
  assert.equal(await kindOf(unknown, '2.1.9'), 'entries');
  assert.equal(await kindOf(unknown, '2.4.2'), 'entries');
  assert.equal(await kindOf(known, '2.4.2'), 'discarded');
});

test('a hosts.toml with one bad byte is discarded, and the pull goes upstream (P3)', async () => {
  const config =
    'version = 3\n[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "/certs.d"\n';
  const hostsOf = async (hosts: Uint8Array) => {
    const tree = memoryTree({
      '/etc/containerd/config.toml': config,
      '/certs.d/registry.k8s.io/hosts.toml': hosts,
    });
    const node = await openNode(tree, { name: 'containerd', version: '2.1.9' });
    const chain = await node.pullChain('registry.k8s.io/pause:3.9');
    return chain.kind === 'endpoints' ? chain.endpoints.map(({ host }) => host) : [];
  };
  const rule = 'server = "https://site.example"\n[host]\n';

  assert.deepEqual(await hostsOf(latin1(`# fur\n${rule}`)), ['site.example']);
  assert.deepEqual(await hostsOf(latin1(`# f\xfcr\n${rule}`)), ['registry.k8s.io']);
});
