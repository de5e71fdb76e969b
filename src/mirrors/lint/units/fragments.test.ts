import assert from 'node:assert/strict';
import test from 'node:test';
import { Fragments } from './fragments.ts';
import type { GatheredPath, InputFile } from './gather-files.ts';

const none = Buffer.from('');

/** A certs.d with so many registries, which counts how often its lists are asked for. */
function countingFolder(size: number) {
  const asked = { files: 0, folders: 0 };
  const names = Array.from({ length: size }, (_, at) => `r${at}.example`);
  const files: readonly InputFile[] = names.flatMap((name) =>
    ['ca.crt', 'hosts.toml'].map((file) => {
      const shown = `certs.d/${name}/${file}`;
      return { shown, real: `/w/${shown}`, bytes: none };
    }),
  );
  const folders = ['', ...names.map((name) => `/${name}`)].map((below) => ({
    shown: `certs.d${below}`,
    real: `/w/certs.d${below}`,
  }));
  const path: GatheredPath = {
    shown: 'certs.d',
    real: '/w/certs.d',
    isFolder: true,
    get files() {
      asked.files += 1;
      return files;
    },
    get folders() {
      asked.folders += 1;
      return folders;
    },
  };
  return { path, files, names, asked };
}

function gather(size: number) {
  const { path, files, names, asked } = countingFolder(size);
  const fragments = new Fragments();
  for (const file of files.filter(({ real }) => real.endsWith('hosts.toml'))) {
    const place = file.real.replace('/w', '/etc/containerd');
    const base = '/w/certs.d';
    fragments.add(
      { place, base, hasFolder: true, file, runtime: 'containerd', isHosts: true },
      path,
    );
  }
  return { all: fragments.all(), names, asked };
}

test('a folder of registries is one node, with all of its folders and what lies in them', () => {
  const [only, ...others] = gather(3).all;

  assert.deepEqual(others, []);
  assert.deepEqual(Array.from(only?.files.keys() ?? []).sort(), [
    '/etc/containerd/certs.d/r0.example/ca.crt',
    '/etc/containerd/certs.d/r0.example/hosts.toml',
    '/etc/containerd/certs.d/r1.example/ca.crt',
    '/etc/containerd/certs.d/r1.example/hosts.toml',
    '/etc/containerd/certs.d/r2.example/ca.crt',
    '/etc/containerd/certs.d/r2.example/hosts.toml',
  ]);
  assert.deepEqual(only?.mounts.map(({ place }) => place).sort(), [
    '/etc/containerd/certs.d',
    '/etc/containerd/certs.d/r0.example',
    '/etc/containerd/certs.d/r1.example',
    '/etc/containerd/certs.d/r2.example',
  ]);
});

test('a folder is looked through as often for many registries as for few', () => {
  assert.deepEqual(gather(200).asked, gather(2).asked);
});
