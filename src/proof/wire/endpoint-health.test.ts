import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeServer } from '../../../test/support/fake-server.ts';
import { fakeWorld } from '../../../test/support/fake-world.ts';
import type { Fault } from '../../../test/support/faults.ts';
import { fillRegistry } from '../../../test/support/fill-registry.ts';
import {
  failureIn,
  offlineSite,
  proveSample,
  rulesTo,
} from '../../../test/support/prove-sample.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import type { Lock } from '../../release/lock.ts';
import { isProven } from '../report.ts';

/** The pause image under as many names, each in a repository of its own. */
function manyPauses(count: number): Lock {
  const { lock } = sampleLock();
  const [, pause] = lock.spec.images;
  assert.ok(pause !== undefined);
  const images = Array.from({ length: count }, (_, index) => ({
    ...pause,
    name: `registry.k8s.io/copy-${index}:1`,
  }));
  return { ...lock, spec: { ...lock.spec, images } };
}

test('a dead endpoint is waited for once, then asked three times, and then given up', async (t) => {
  const registry = await startRegistry(t);
  await fillRegistry(registry, sampleLock());
  const broken = await startFakeServer(t, () => Promise.reject(new Error('cut')));
  const text = `server = "${registry.url}"\n[host."${broken.url}"]\n`;
  const { sleeps, settings } = fakeWorld();

  const report = await proveSample(t, {
    client: settings(),
    limits: { parallelRepositories: 1, parallelBlobs: 1 },
    site: offlineSite(registry.host, broken.host),
    configuration: { hosts: { 'cr.openfuyao.cn': text, 'registry.k8s.io': text } },
  });

  assert.equal(isProven(report), true);
  assert.deepEqual([broken.asked.length, sleeps], [4, [1500]]);
});

test('a registry that restarts meanwhile fails no image', async (t) => {
  let isUp = false;
  const untilUp: Fault = (next) => (request, response) => {
    if (isUp) next(request, response);
    else request.socket.destroy();
  };
  const registry = await startRegistry(t, { faults: [untilUp] });
  await fillRegistry(registry, sampleLock());
  const sleep = async () => {
    isUp = true;
  };

  const report = await proveSample(t, {
    client: fakeWorld().settings({ sleep }),
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.equal(isProven(report), true);
});

test('a registry that goes down again and again is waited for five times', async (t) => {
  let asked = 0;
  const everySecond: Fault = (next) => (request, response) => {
    asked += 1;
    if (asked % 2 === 0) next(request, response);
    else request.socket.destroy();
  };
  const registry = await startRegistry(t, { faults: [everySecond] });
  await fillRegistry(registry, sampleLock());
  const { sleeps, settings } = fakeWorld();

  await proveSample(t, {
    client: settings(),
    limits: { parallelRepositories: 1, parallelBlobs: 1 },
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });

  assert.equal(sleeps.length, 5);
});

test('what was not sent to an endpoint that was given up is marked', async (t) => {
  const broken = await startFakeServer(t, () => Promise.reject(new Error('cut')));

  const report = await proveSample(t, {
    limits: { parallelRepositories: 1 },
    lock: manyPauses(8),
    site: offlineSite(broken.host),
    configuration: { hosts: rulesTo(broken.url) },
  });

  const asked = report.results.map(({ verdict }) => failureIn(verdict).asked[0]);
  const [first, last] = [asked[0], asked[7]];
  assert.deepEqual([first?.sent, last?.sent], [undefined, false]);
  assert.equal(last?.answer, first?.answer);
  assert.equal(broken.asked.length, report.totals.requests);
});
