import assert from 'node:assert/strict';
import test from 'node:test';
import { loadFileFacts } from './file-facts.ts';
import { recogniseFile, recogniseNamedFile } from './file-kind.ts';

/** A file as it is found in a folder, and what it is taken for: `kind by`. */
const files: ReadonlyArray<readonly [path: string, text: string, found: string | undefined]> = [
  ['certs.d/docker.io/hosts.toml', '', 'hosts by name'],
  ['certs.d/docker.io/hosts.yaml', '', 'hosts by name'],
  ['certs.d/docker.io/host.toml', '', 'hosts by name'],
  ['mirror.toml', '[host."https://m.example"]\n', 'hosts by text'],
  ['mirror.toml', 'server = "https://m.example"\n', 'hosts by text'],
  ['containerd/config.toml', 'version = 3\n', 'containerd-config by name'],
  ['node-1.toml', '[plugins."io.containerd.grpc.v1.cri".registry]\n', 'containerd-config by text'],
  ['Cargo.toml', '[package]\nname = "x"\nversion = "1.0.0"\n', undefined],
  ['registries.yaml', '', 'k3s-registries by name'],
  ['registry.yaml', '', 'k3s-registries by name'],
  ['k3s.yaml', 'mirrors:\n  docker.io:\n', 'k3s-registries by text'],
  ['config.yaml', 'disable-default-registry-endpoint: true\n', 'k3s-config by name'],
  ['registries.conf', '', 'registries-conf by name'],
  ['registries.conf.d/10-mirror.conf', '', 'registries-conf by name'],
  ['mirror.conf', '[[registry]]\nlocation = "quay.io"\n', 'registries-conf by text'],
  ['nginx.conf', 'server { listen 80; }\n', undefined],
  ['daemon.json', '{}', 'docker-daemon by name'],
  ['docker.json', '{"registry-mirrors": []}', 'docker-daemon by text'],
  ['package.json', '{"name": "x"}', undefined],
  ['cp-1.yaml', 'version: v1alpha1\nmachine:\n  registries: {}\n', 'talos-machine by text'],
  ['mirror.yaml', 'apiVersion: v1alpha1\nkind: RegistryMirrorConfig\n', 'talos-machine by text'],
  ['pod.yaml', 'apiVersion: v1\nkind: Pod\n', 'manifest by text'],
  ['release.yaml', 'apiVersion: slipway.dev/v1alpha1\nkind: Release\n', undefined],
  ['images.txt', 'nginx:1.27\n', 'images by name'],
  ['release-images.list', '', 'images by name'],
  ['readme.txt', 'some words\n', undefined],
  // Names that other programs use too are left to what stands in the text.
  ['registry.yaml', 'apiVersion: apps/v1\nkind: Deployment\n', 'manifest by text'],
  ['registry.yaml', 'apiVersion: v1alpha1\nkind: RegistryMirrorConfig\n', 'talos-machine by text'],
  ['registry.yaml', 'mirrrors:\n  docker.io:\n', 'k3s-registries by name'],
  ['registries.yaml', 'apiVersion: v1\nkind: ConfigMap\n', 'manifest by text'],
  ['hosts.yaml', 'all:\n  hosts:\n    node-1:\n', undefined],
  ['hosts.yaml', 'server = "https://m.example"\n', 'hosts by name'],
  ['host.toml', '[tool]\nname = "x"\n', undefined],
];

for (const [path, text, found] of files) {
  test(`in a folder ${path} is ${found ?? 'left out'}: ${JSON.stringify(text)}`, async () => {
    const recognised = recogniseFile(path, text, await loadFileFacts());

    assert.equal(recognised && `${recognised.kind} by ${recognised.by}`, found);
  });
}

test('a file that somebody named may be a list of images under any name', async () => {
  const facts = await loadFileFacts();
  const kindOf = (path: string, text: string) => recogniseNamedFile(path, text, facts)?.kind;

  assert.equal(kindOf('all', '# ours\nnginx\nquay.io/a/b:1\n'), 'images');
  assert.equal(kindOf('notes', 'see the other file\n'), undefined);
  assert.equal(kindOf('x.toml', 'nginx\n'), undefined);
  assert.equal(kindOf('empty', ''), undefined);
});
