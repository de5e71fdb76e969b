import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { answer } from '../../test/support/faults.ts';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import {
  failureIn,
  offlineSite,
  proveSample,
  sampleImages,
  spoiledRegistry,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry, type TestRegistry } from '../../test/support/start-registry.ts';
import { memoryTree } from '../mirrors/memory-tree.ts';
import type { MirrorRule } from '../mirrors/mirror-rule.ts';
import { openRuntime } from '../mirrors/open-runtime.ts';
import type { PullEndpoint } from '../mirrors/pull-chain.ts';
import { parseRuntimeId } from '../site/runtime-id.ts';
import { readRuntimeService } from './node/runtime-service.ts';

const runtimes = [
  'containerd@1.7.34',
  'containerd@2.4.2',
  'k3s@v1.30.4+k3s1',
  'rke2@v1.30.4+rke2r1',
  'cri-o@1.30.0',
  'podman@5.2.0',
  'docker@29.0.0',
  'talos@1.9.0',
] as const;

/** The registries of the sample, all of them in one place without TLS. */
function rulesTo(host: string): readonly MirrorRule[] {
  return ['cr.openfuyao.cn', 'registry.k8s.io'].map((registry) => ({
    registry,
    targets: [{ scheme: 'http', host, prefix: '' }],
    fallback: false,
  }));
}

/** Proves the sample on a node of the runtime whose files the compiler wrote, changed by `spoil`. */
async function proveCompiled(
  t: TestContext,
  name: string,
  registry: TestRegistry,
  spoil: (text: string) => string = (text) => text,
) {
  const runtime = await openRuntime(parseRuntimeId(name));
  const rules = rulesTo(registry.host);
  const { sandbox } = sampleLock().lock.spec;
  const { wanted } = await runtime.compile(memoryTree({}), rules, sandbox);
  const tree = memoryTree(
    Object.fromEntries(wanted.map(({ path, content }) => [path, spoil(content)])),
  );
  return proveSample(t, {
    site: offlineSite(registry.host),
    rules: await runtime.openNode(tree),
    service: await readRuntimeService(tree, runtime.service),
  });
}

for (const name of runtimes) {
  test(`rules that are written for ${name} are proven there`, async (t) => {
    const registry = await startRegistry(t);
    await fillRegistry(registry, sampleLock());

    const report = await proveCompiled(t, name, registry);

    const failures = report.results.filter(({ verdict }) => verdict.kind !== 'proven');
    assert.deepEqual(failures, []);
    assert.equal(report.runtime, name);
  });

  test(`a lost blob is missing on a node with ${name} too`, async (t) => {
    const lost = sampleLock().lock.spec.images[1]?.platforms[0]?.layers.at(-1);
    assert.ok(lost !== undefined);
    const registry = await spoiledRegistry(t, {
      faults: [answer({ path: new RegExp(`pause/blobs/${lost.digest}`), status: 404 })],
    });

    const report = await proveCompiled(t, name, registry);

    const failure = failureIn(verdictOn(report, sampleImages.pause));
    assert.equal(failure.kind, 'incomplete');
  });

  test(`rules that name another host leave the site on a node with ${name}`, async (t) => {
    const registry = await startRegistry(t);
    await fillRegistry(registry, sampleLock());

    const report = await proveCompiled(t, name, registry, (text) =>
      text.replaceAll(registry.host, 'elsewhere.example:5000'),
    );

    assert.equal(failureIn(verdictOn(report, sampleImages.pause)).kind, 'falls-open');
  });
}

test('a chain of every runtime names the file of each endpoint', async () => {
  for (const name of runtimes) {
    const runtime = await openRuntime(parseRuntimeId(name));
    const { wanted } = await runtime.compile(memoryTree({}), rulesTo('m.example:5000'), undefined);
    const tree = memoryTree(Object.fromEntries(wanted.map(({ path, content }) => [path, content])));
    const chain = await (await runtime.openNode(tree)).pullChain('registry.k8s.io/pause:3.9');

    assert.ok(chain.kind === 'endpoints', name);
    const asked = chain.endpoints.filter(({ reachable }: PullEndpoint) => reachable);
    assert.ok(asked.length > 0 && asked.every(({ origin }) => origin.file?.startsWith('/')), name);
  }
});

test('CRI-O with a mirror for tags alone has nothing for a pod that names the digest', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());
  const runtime = await openRuntime(parseRuntimeId('cri-o@1.30.0'));
  const tables = ['cr.openfuyao.cn', 'registry.k8s.io'].map((name) => [
    ...['[[registry]]', `prefix = "${name}"`, `location = "${name}"`, 'blocked = true'],
    ...['[[registry.mirror]]', `location = "${registry.host}"`, 'insecure = true'],
    'pull-from-mirror = "tag-only"',
  ]);
  const tree = memoryTree({
    '/etc/containers/registries.conf': tables.flat().join('\n'),
    '/etc/crio/crio.conf': `[crio.image]\npause_image = "${sampleImages.pause}"\n`,
  });

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    rules: await runtime.openNode(tree),
  });

  const { summary } = failureIn(verdictOn(report, sampleImages.pause));
  assert.match(summary, /when a pod asks for it by digest$/);
});
