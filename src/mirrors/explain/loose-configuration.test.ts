import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { nodeWith } from '../../../test/support/mirror-node.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { parseRuntimeId } from '../../site/runtime-id.ts';
import { openRuntime } from '../open-runtime.ts';
import { openConfiguration } from './loose-configuration.ts';

const runtime = await openRuntime({ name: 'containerd', version: '2.1.1' });
const hosts = 'server = "https://m.example"\n[host]\n';
const main =
  'version = 3\n[plugins."io.containerd.cri.v1.images".registry]\n  config_path = "/srv/certs"\n';

const ports = { registry: 'quay.io', pem: async () => (await serverCertificate()).ca };

async function firstHost(path: string): Promise<string | undefined> {
  const { tree } = await openConfiguration(path, runtime, ports);
  const chain = await (await runtime.openNode(tree)).pullChain('quay.io/a:1');
  return chain.kind === 'endpoints' ? chain.endpoints[0]?.host : chain.error;
}

test('a root is read as it is: without a main configuration no rule counts', async (t) => {
  const root = await nodeWith(t, { '/etc/containerd/certs.d/quay.io/hosts.toml': hosts });

  assert.equal(await firstHost(root), 'quay.io');
  assert.deepEqual((await openConfiguration(root, runtime, ports)).notes(), []);
});

test('a folder or file without its node is taken to be read, and that is said', async (t) => {
  const folder = await nodeWith(t, { '/ca.pem': '', '/quay.io/hosts.toml': hosts });

  for (const path of ['', 'quay.io', 'quay.io/hosts.toml']) {
    assert.equal(await firstHost(join(folder, path)), 'm.example', path);
  }
  const { notes } = await openConfiguration(folder, runtime, ports);
  assert.match(notes().join(), /^\/etc\/containerd\/config\.toml is not among the files/);
});

test('a folder inside of a node is read with the node around it', async (t) => {
  const root = await nodeWith(t, {
    '/etc/containerd/certs.d/quay.io/hosts.toml': hosts,
    '/etc/containerd/config.toml': main,
    '/srv/certs/quay.io/hosts.toml': hosts.replace('m.example', 'other.example'),
  });

  assert.equal(await firstHost(join(root, 'etc/containerd/certs.d')), 'other.example');
  assert.equal(
    await firstHost(join(root, 'etc/containerd/certs.d/quay.io/hosts.toml')),
    'other.example',
  );
});

test('a copy of etc/containerd is read with its own main configuration', async (t) => {
  const folder = await nodeWith(t, {
    '/config.toml': main.replace('/srv/certs', '/etc/containerd/certs.d'),
    '/certs.d/quay.io/hosts.toml': hosts,
  });

  assert.equal(await firstHost(folder), 'm.example');
  assert.deepEqual((await openConfiguration(folder, runtime, ports)).notes(), []);
});

test('a hosts.toml in no folder of a registry is taken for the one of the image, and that is said', async (t) => {
  const folder = await nodeWith(t, { '/mine/hosts.toml': hosts, '/my-mirrors.toml': hosts });

  for (const path of ['mine', 'mine/hosts.toml', 'my-mirrors.toml']) {
    assert.equal(await firstHost(join(folder, path)), 'm.example', path);
    const { notes } = await openConfiguration(join(folder, path), runtime, ports);
    assert.match(notes().join('\n'), /^nothing says .* taken for the file of quay\.io$/m, path);
  }
});

test('a file that the runtime reads nowhere is refused', async (t) => {
  const folder = await nodeWith(t, { '/notes.txt': '' });

  const placeless = { ...runtime, placeOf: () => undefined };

  await assert.rejects(openConfiguration(join(folder, 'notes.txt'), placeless, ports), {
    code: 'MIRROR_FILE_UNPLACED',
  });
});

test('a certificate elsewhere is taken to be there, and said; one beside the files is not', async (t) => {
  const [outside, inside] = ['/etc/ssl/site.pem', '/etc/containerd/certs.d/site.pem'];
  const folder = await nodeWith(t, {
    '/quay.io/hosts.toml': `ca = "${outside}"\n${hosts}`,
    '/k.example/hosts.toml': `ca = "${inside}"\n${hosts}`,
  });
  const { tree, notes } = await openConfiguration(folder, runtime, ports);
  const node = await runtime.openNode(tree);

  const kinds = [
    (await node.pullChain('quay.io/a:1')).kind,
    (await node.pullChain('k.example/a:1')).kind,
  ];

  assert.deepEqual(kinds, ['endpoints', 'refused']);
  assert.match(
    notes().join('\n'),
    /\n\/etc\/ssl\/site\.pem is not among the files; taken to be there$/,
  );
});

const misnamed: ReadonlyArray<
  readonly [runtime: string, name: string, text: string, place: string]
> = [
  ['k3s@v1.31.13+k3s1', 'mine.yaml', 'mirrors: {}\n', '/etc/rancher/k3s/registries.yaml'],
  ['docker@29.7.2', 'node/docker.json', '{"registry-mirrors": []}', '/etc/docker/daemon.json'],
  ['containerd@2.1.1', 'node/main.toml', main, '/etc/containerd/config.toml'],
];

for (const [id, name, text, place] of misnamed) {
  test(`${name} alone is read as ${place}, since its text says so, as lint reads it`, async (t) => {
    const folder = await nodeWith(t, { [`/${name}`]: text });
    const rules = await openRuntime(parseRuntimeId(id));

    assert.equal((await openConfiguration(join(folder, name), rules, ports)).place, place);
  });
}
