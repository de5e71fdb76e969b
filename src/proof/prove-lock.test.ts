import assert from 'node:assert/strict';
import test from 'node:test';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import { onlyServer } from '../../test/support/memory-node.ts';
import {
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry } from '../../test/support/start-registry.ts';
import type { ProgressEvent } from '../shared/run.ts';
import { isProven, ProofReport } from './report.ts';

for (const version of ['1.7.34', '2.1.1'] as const) {
  test(`a complete registry is proven for containerd ${version}, to the last blob`, async (t) => {
    const registry = await startRegistry(t);
    await fillRegistry(registry, sampleLock());

    const report = await proveSample(t, {
      site: offlineSite(registry.host),
      configuration: { version, hosts: rulesTo(registry.url) },
    });

    assert.equal(isProven(report), true);
    assert.deepEqual(
      report.results.map(({ image, platform, verdict }) => [image, platform, verdict.kind]),
      [
        [sampleImages.app, 'linux/amd64', 'proven'],
        [sampleImages.app, 'linux/arm64', 'proven'],
        [sampleImages.pause, 'linux/amd64', 'proven'],
      ],
    );
    const digests = [...sampleLock().blobs.keys()];
    const images = digests.filter((digest) => registry.log.some(({ url }) => url.includes(digest)));
    assert.equal(images.length, new Set(blobsOfImages()).size);
  });
}

function blobsOfImages(): string[] {
  return sampleLock().lock.spec.images.flatMap(({ target, platforms }) => [
    target.digest,
    ...platforms.flatMap(({ manifest, config, layers }) =>
      [manifest, config, ...layers].map(({ digest }) => digest),
    ),
  ]);
}

test('each identical request is sent once, also when images and platforms share it', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  const sent = registry.log.map(({ method, url }) => `${method} ${url}`);
  assert.deepEqual(sent.length, new Set(sent).size);
  assert.equal(report.totals.requests, sent.length);
});

test('the report is the published schema, also after a way through JSON', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, {
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.deepEqual(ProofReport.parse(JSON.parse(JSON.stringify(report))), report);
});

test('a second mirror that has the image proves it, and the report names the dead first', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());
  const dead = await startRegistry(t);
  await dead.stop();
  const mirrors = `[host."${dead.url}"]\n[host."${registry.url}"]\n`;
  const text = `server = "${registry.url}"\n${mirrors}`;

  const report = await proveSample(t, {
    site: offlineSite(registry.host, dead.host),
    configuration: { hosts: { 'cr.openfuyao.cn': text, 'registry.k8s.io': text } },
  });

  const verdict = verdictOn(report, sampleImages.pause);
  assert.equal(verdict.kind, 'proven');
  assert.deepEqual(verdict.kind === 'proven' && verdict.by, [`${registry.url}/v2`]);
  assert.match(report.warnings.join('\n'), new RegExp(`${dead.host} does not answer`));
});

test('only the platforms of the node are asked for, and its sandbox image must be made for them', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, {
    platforms: ['linux/arm64'],
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.equal(verdictOn(report, sampleImages.app, 'linux/arm64').kind, 'proven');
  const lacking = verdictOn(report, sampleImages.pause, 'linux/arm64');
  assert.equal(lacking.kind, 'platform-missing');
  assert.deepEqual(lacking.kind === 'platform-missing' && lacking.do, [
    'let the Release want it for linux/arm64, since every pod there needs it',
    'plan',
    'pack',
    `load ${sampleImages.pause}`,
  ]);
  const amd64 = sampleLock().lock.spec.images[0]?.platforms[0]?.manifest.digest ?? '';
  assert.equal(
    registry.log.some(({ url }) => url.includes(amd64)),
    false,
  );
});

test('an image that the Release does not want for the platform of the node is named, not failed', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, {
    platforms: ['linux/arm64'],
    site: offlineSite(registry.host),
    configuration: {
      hosts: rulesTo(registry.url),
      sandbox: sampleImages.app,
    },
  });

  assert.deepEqual(
    report.results.map(({ image, verdict }) => [image, verdict.kind]),
    [[sampleImages.app, 'proven']],
  );
  const warning = `the Release does not want ${sampleImages.pause} for linux/arm64; not proved`;
  assert.ok(report.warnings.includes(warning), report.warnings.join('\n'));
});

test('text that is no platform is refused before anything is asked', async (t) => {
  const proving = proveSample(t, { platforms: ['arm64'] });

  await assert.rejects(proving, { code: 'PROOF_PLATFORM_INVALID' });
});

test('a sandbox image that the Lock has none of fails, with its place and the road to the node', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());
  const { lock } = sampleLock();
  const { sandbox: _, ...spec } = lock.spec;

  const report = await proveSample(t, {
    lock: { ...lock, spec },
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url), sandbox: 'registry.k8s.io/pause:3.6' },
  });

  const last = report.results.at(-1);
  assert.equal(last?.image, 'registry.k8s.io/pause:3.6');
  assert.equal(last?.verdict.kind, 'not-locked');
  const because = last?.verdict.kind === 'not-locked' ? last.verdict.because : [];
  assert.match(because[0] ?? '', /config\.toml:\d+:\d+ names it/);
  assert.deepEqual(last?.verdict.kind === 'not-locked' && last.verdict.do.slice(1), [
    'plan',
    'pack',
    'load registry.k8s.io/pause:3.6',
    'write rules',
  ]);
  assert.deepEqual([report.totals.images, report.totals.failed], [3, 1]);
});

test("a sandbox image under the registry's own name is proven as the image it is", async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());
  const name = `${registry.host}/pause:3.9`;

  const report = await proveSample(t, {
    site: {
      ...offlineSite(registry.host),
      publishedNames: (image) => (image.name === sampleImages.pause ? [name] : []),
    },
    configuration: {
      hosts: { ...rulesTo(registry.url), [registry.host]: onlyServer(registry.url) },
      sandbox: name,
    },
  });

  assert.equal(verdictOn(report, name).kind, 'proven');
  assert.equal(report.totals.images, 3);
});

test('without a Site the report says that no host was forbidden', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());

  const report = await proveSample(t, { configuration: { hosts: rulesTo(registry.url) } });

  assert.equal(report.site, 'none');
  assert.match(report.warnings.join('\n'), /no Site was given/);
});

test('progress counts every image, and the bytes that deep will read', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());
  const events: ProgressEvent[] = [];

  await proveSample(t, {
    deep: true,
    events,
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  const sum = (kind: 'expect' | 'advance') =>
    events.reduce(
      (total, event) =>
        event.kind === kind
          ? { items: total.items + event.items, bytes: total.bytes + event.bytes }
          : total,
      { items: 0, bytes: 0 },
    );
  assert.equal(sum('expect').items, 2);
  assert.ok(sum('expect').bytes > 0);
  assert.deepEqual(sum('advance'), sum('expect'));
});
