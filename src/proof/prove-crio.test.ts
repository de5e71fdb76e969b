import assert from 'node:assert/strict';
import test from 'node:test';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import {
  offlineSite,
  proveSample,
  sampleImages,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry } from '../../test/support/start-registry.ts';
import { memoryTree } from '../mirrors/memory-tree.ts';
import type { MirrorRule } from '../mirrors/mirror-rule.ts';
import { openRuntime } from '../mirrors/open-runtime.ts';

const places = ['cr.openfuyao.cn', 'registry.k8s.io'];

/** A node with CRI-O whose rules lead to these hosts, the first of which has nothing. */
async function crioNode(...hosts: readonly string[]) {
  const crio = await openRuntime({ name: 'cri-o', version: '1.34.0' });
  const targets = hosts.map((host) => ({ scheme: 'http', host, prefix: '' }) as const);
  const rules = places.map((registry): MirrorRule => ({ registry, targets, fallback: false }));
  const { wanted } = await crio.compile(memoryTree({}), rules, undefined);
  return crio.openNode(
    memoryTree(Object.fromEntries(wanted.map(({ path, content }) => [path, content]))),
  );
}

test('CRI-O is proved to look at each place, and to fetch all from the one that has the image', async (t) => {
  const empty = await startRegistry(t);
  const full = await startRegistry(t);
  await fillRegistry(full, sampleLock());
  const before = full.log.length;

  const report = await proveSample(t, {
    site: offlineSite(empty.host, full.host),
    rules: await crioNode(empty.host, full.host),
  });

  assert.equal(verdictOn(report, sampleImages.pause).kind, 'proven');
  const asked = empty.log.map(({ url }) => /\/(manifests|blobs)\//.exec(url)?.[1] ?? url);
  assert.deepEqual([...new Set(asked)].sort(), ['/v2/', 'manifests']);
  assert.ok(full.log.slice(before).some(({ url }) => url.includes('/blobs/')));
});

test('CRI-O is not proved where nobody has the image', async (t) => {
  const empty = await startRegistry(t);

  const report = await proveSample(t, {
    site: offlineSite(empty.host),
    rules: await crioNode(empty.host),
  });

  assert.notEqual(verdictOn(report, sampleImages.pause).kind, 'proven');
});
