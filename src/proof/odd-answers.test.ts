import assert from 'node:assert/strict';
import test from 'node:test';
import { oddAnswers } from '../../test/support/odd-answers.ts';
import {
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  spoiledRegistry,
  verdictOn,
} from '../../test/support/prove-sample.ts';

for (const [name, kind, faults] of oddAnswers) {
  test(`${kind}: ${name}`, async (t) => {
    const registry = await spoiledRegistry(t, { faults });

    const report = await proveSample(t, {
      site: offlineSite(registry.host),
      configuration: { hosts: rulesTo(registry.url) },
    });

    const verdict = verdictOn(report, sampleImages.pause);
    assert.equal(verdict.kind, kind, JSON.stringify(verdict));
  });
}
