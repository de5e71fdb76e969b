/** Images whose bytes are all there, and which a runtime reads otherwise or not at all. */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { fillRegistry } from '../../test/support/fill-registry.ts';
import { respelled, unreadableImages } from '../../test/support/odd-images.ts';
import {
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  verdictOn,
} from '../../test/support/prove-sample.ts';
import type { SampleLock } from '../../test/support/sample-lock.ts';
import { startRegistry } from '../../test/support/start-registry.ts';

async function verdictOf(t: TestContext, sample: SampleLock) {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sample);
  const report = await proveSample(t, {
    lock: sample.lock,
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });
  return { verdict: verdictOn(report, sampleImages.pause), registry };
}

for (const [name, sample, summary] of unreadableImages) {
  test(`unreadable: ${name}, which a runtime does not read as the Lock does`, async (t) => {
    const { verdict } = await verdictOf(t, sample);

    assert.equal(verdict.kind, 'unreadable');
    assert.match(verdict.kind === 'unreadable' ? verdict.summary : '', summary);
  });
}

test('proven: fields that no runtime reads may be written as they like', async (t) => {
  const { verdict } = await verdictOf(
    t,
    respelled((text) => text.replace('{', '{"x":1,"X":[],')),
  );

  assert.equal(verdict.kind, 'proven');
});

test('proven: a configuration that the manifest embeds is not asked for', async (t) => {
  let data = '';
  const sample = respelled(
    (text) => text.replace(/("config":\{)/, `$1"data":"${data}",`),
    (config) => {
      data = Buffer.from(config).toString('base64');
      return config;
    },
  );
  const config = sample.lock.spec.images[1]?.platforms[0]?.config.digest ?? '';

  const { verdict, registry } = await verdictOf(t, sample);

  assert.equal(verdict.kind, 'proven');
  assert.ok(registry.log.every(({ url }) => !url.includes(config)));
});
