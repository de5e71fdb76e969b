import assert from 'node:assert/strict';
import test from 'node:test';
import { satisfies } from 'semver';
import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { lineOf, lintLinesOf } from './lint-lines.ts';

const files: ReadonlyArray<readonly [runtime: RuntimeName, file: string, begin: RegExp]> = [
  [
    'cri-o',
    'data/registries-conf/behaviour.yaml',
    /\b(?:newerToml|enforcesShortNames): (1\.[\d.]+)/g,
  ],
  ['docker', 'data/docker/behaviour.yaml', /^ {4}versions: ">=([\d.]+)"/gm],
  ['talos', 'data/talos/behaviour.yaml', /^ {4}versions: ">=([\d.]+)"/gm],
];

for (const [runtime, file, begin] of files) {
  test(`a lint looks at ${runtime} on both sides of each change of its behaviour`, async () => {
    const found = (await readAsset(file)).matchAll(begin);
    const changes = Array.from(found, ([, version = '']) => lineOf(version));
    const lines = (await lintLinesOf(runtime)).map(({ line }) => line);

    assert.ok(changes.length > 1);
    for (const change of changes) {
      assert.ok(lines.indexOf(change) > 0, `${change} is none of ${lines.join(', ')}`);
    }
  });
}

const Facts = z.looseObject({
  facts: z.array(z.looseObject({ name: z.string(), versions: z.string() })),
});

/** Facts of early patch releases: a rule for them would warn everybody who says no version. */
const onlyInOldPatches: Readonly<Partial<Record<RuntimeName, readonly string[]>>> = {
  containerd: [
    'default-directory',
    'https-first',
    'https-first-on-port-80',
    'local-scheme-by-port',
  ],
};

const factFiles: ReadonlyArray<readonly [runtime: RuntimeName, file: string]> = [
  ['containerd', 'data/containerd/behaviour.yaml'],
  ['k3s', 'data/k3s/behaviour.yaml'],
  ['rke2', 'data/k3s/behaviour.yaml'],
  ['docker', 'data/docker/behaviour.yaml'],
  ['talos', 'data/talos/behaviour.yaml'],
];

for (const [runtime, file] of factFiles) {
  test(`a lint of ${runtime} sees each of its facts hold, and not hold`, async () => {
    const { facts } = readData(await readAsset(file), file, Facts);
    const lines = await lintLinesOf(runtime);
    const versions = lines.flatMap((line) => line.versions).map(released);
    const oneSided = facts.filter(
      (fact) => new Set(versions.map((version) => satisfies(version, fact.versions))).size < 2,
    );

    assert.ok(facts.length > 0);
    assert.deepEqual(
      oneSided.map(({ name }) => name),
      onlyInOldPatches[runtime] ?? [],
    );
  });
}

test('a lint of podman looks at several lines, up to the newest one that is known', async () => {
  const lines = (await lintLinesOf('podman')).map(({ line }) => line);
  const text = await readAsset('data/registries-conf/behaviour.yaml');
  const [, newest] = /^ {2}podman:[\s\S]*?newest: ([\d.]+)/m.exec(text) ?? [];

  assert.ok(lines.length > 1);
  assert.equal(lines.at(-1), lineOf(newest ?? ''));
});

/** `v1.31.13+k3s1` → `1.31.13`. */
function released(version: string): string {
  return version.replace(/^v|\+.*$/g, '');
}
