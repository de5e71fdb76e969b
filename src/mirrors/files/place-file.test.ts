import assert from 'node:assert/strict';
import test from 'node:test';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { loadFileFacts } from './file-facts.ts';
import { recogniseNamedFile } from './file-kind.ts';
import { placeFile, runtimeFor } from './place-file.ts';

/** As containerd and the others say it, without what they would need to say more. */
const rules = {
  placeOf: (name: string) => {
    if (/(?:^|\/)hosts\.toml$/.test(name)) return `/etc/containerd/certs.d/${name}`;
    if (name === 'registries.yaml') return '/etc/rancher/k3s/registries.yaml';
    return name.startsWith('registries.conf') ? `/etc/containers/${name}` : undefined;
  },
};

const placed: ReadonlyArray<readonly [real: string, text: string, place: string, base: string]> = [
  ['/a/docker.io/hosts.toml', '', '/etc/containerd/certs.d/docker.io/hosts.toml', '/a'],
  ['/a/certs.d/reg/hosts.toml', '', '/etc/containerd/certs.d/reg/hosts.toml', '/a'],
  ['/a/docker.io/hosts.yaml', '', '/etc/containerd/certs.d/docker.io/hosts.yaml', '/a'],
  ['/a/hosts.toml', '', '/etc/containerd/certs.d/_default/hosts.toml', '/a/hosts.toml'],
  [
    '/a/hub.toml',
    'server = "https://registry-1.docker.io"\n[host]\n',
    '/etc/containerd/certs.d/docker.io/hosts.toml',
    '/a/hub.toml',
  ],
  ['/a/registry.yaml', '', '/etc/rancher/k3s/registry.yaml', '/a'],
  ['/a/mine.yaml', 'mirrors:\n', '/etc/rancher/k3s/registries.yaml', '/a'],
  ['/a/registries.conf', '', '/etc/containers/registries.conf', '/a'],
  ['/a/registries.conf.d/x.conf', '', '/etc/containers/registries.conf.d/x.conf', '/a'],
];

for (const [real, text, place, base] of placed) {
  test(`${real} is read at ${place}, with what lies in ${base}`, async () => {
    const recognised = recogniseNamedFile(real, text, await loadFileFacts());
    assert.ok(recognised);

    const found = placeFile(real, text, recognised, rules);

    assert.deepEqual([found?.place, found?.base], [place, base]);
  });
}

test('the runtime is the one that is named, or whose folder it is, or the usual one', async () => {
  const facts = await loadFileFacts();
  const readerOf = (real: string, typed?: RuntimeName) => {
    const recognised = recogniseNamedFile(real, '', facts);
    assert.ok(recognised);
    return runtimeFor(recognised, real, typed);
  };

  assert.equal(readerOf('/a/docker.io/hosts.toml'), 'containerd');
  assert.equal(readerOf('/a/docker/certs.d/x/hosts.toml'), 'docker');
  assert.equal(readerOf('/a/rke2/registries.yaml'), 'rke2');
  assert.equal(readerOf('/a/registries.conf', 'podman'), 'podman');
  assert.equal(readerOf('/a/registries.conf', 'docker'), undefined);
});
