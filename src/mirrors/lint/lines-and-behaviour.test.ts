import assert from 'node:assert/strict';
import test from 'node:test';
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
