import assert from 'node:assert/strict';
import test from 'node:test';
import { lintImageName } from './lint-image-name.ts';
import { readingsOf } from './readings.ts';

const digest = `sha256:${'a'.repeat(64)}`;

/** mirrors.md section 6, "Differences between parsers": what each program reads, `-` for an error. */
const table: ReadonlyArray<
  readonly [name: string, docker: string, kubelet: string, podman: string, ctr: string]
> = [
  ['[fd00::1]:5000/a:1', '[fd00::1]:5000/a:1', '[fd00::1]:5000/a:1', '-', '[fd00::1]:5000/a:1'],
  ['MyHost/a:1', 'MyHost/a:1', 'MyHost/a:1', '-', 'MyHost/a:1'],
  [
    'nginx',
    'docker.io/library/nginx:latest',
    'docker.io/library/nginx:latest',
    'short docker.io/library/nginx:latest',
    'nginx',
  ],
  [
    `quay.io/a:1@${digest}`,
    `quay.io/a@${digest}`,
    `quay.io/a:1@${digest}`,
    '-',
    `quay.io/a:1@${digest}`,
  ],
  ['ghcr.io/OWNER/app', '-', '-', '-', 'ghcr.io/OWNER/app'],
  ['http://h.example/a', '-', '-', '-', '-'],
];

for (const [name, ...wanted] of table) {
  test(`${name} is read as each program reads it`, () => {
    const { docker, kubelet, podman, ctr } = readingsOf(name);

    const short = podman.ok && 'isShort' in podman ? 'short ' : '';
    const got = [docker, kubelet, podman, ctr].map((one) => (one.ok ? one.as : '-'));
    assert.deepEqual([got[0], got[1], `${short}${got[2]}`, got[3]], wanted);
  });
}

const levels = (name: string, runtime: 'podman' | 'cri-o' | 'containerd') =>
  lintImageName(name, runtime).map(({ rule, level }) => `${rule} ${level ?? ''}`.trim());

test('with a runtime only what is true of it is said, and what it refuses is an error', () => {
  assert.deepEqual(levels('MyHost/a:1', 'podman'), ['N002 error']);
  assert.deepEqual(levels('MyHost/a:1', 'containerd'), []);
  assert.deepEqual(levels('nginx', 'cri-o'), ['N002']);
  assert.deepEqual(levels(`quay.io/a:1@${digest}`, 'cri-o'), ['N003 error']);
  assert.deepEqual(levels(`quay.io/a:1@${digest}`, 'containerd'), ['N003']);
});

test('a message says what each program makes of the name', () => {
  const [bare] = lintImageName('nginx:1');

  assert.equal(
    bare?.message,
    'the name has no registry: Docker, containerd and the kubelet read docker.io/library/nginx:1, podman and CRI-O look through their own list of registries, and ctr asks the host nginx',
  );
});
