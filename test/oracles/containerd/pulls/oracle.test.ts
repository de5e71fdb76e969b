/**
 * Odd answers and odd images, pulled by a real containerd and proved by us: an image is proven exactly when
 * containerd pulls it, by tag and by digest. Needs root and the built tools (npm run test:e2e:tools).
 */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Fault } from '../../../support/faults.ts';
import { fillRegistry } from '../../../support/fill-registry.ts';
import { oddAnswers } from '../../../support/odd-answers.ts';
import { respelled, unreadableImages, withUrls } from '../../../support/odd-images.ts';
import {
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  verdictOn,
} from '../../../support/prove-sample.ts';
import { type SampleLock, sampleLock } from '../../../support/sample-lock.ts';
import { startRegistry } from '../../../support/start-registry.ts';
import { toolPath } from '../../../support/tools/build-tools.ts';
import { scratchFolder } from '../../../support/tools/scratch-folder.ts';
import { pull, startPullingDaemon } from './pulling-daemon.ts';

interface Case {
  readonly name: string;
  readonly sample: SampleLock;
  readonly faults: readonly Fault[];
}

const usual = sampleLock();
const cases: readonly Case[] = [
  ...oddAnswers.map(([name, , faults]) => ({ name, sample: usual, faults })),
  ...unreadableImages.map(([name, sample]) => ({ name, sample, faults: [] })),
  {
    name: 'an image with fields that no runtime reads',
    sample: respelled((text) => text.replace('{', '{"x":1,"X":[],')),
    faults: [],
  },
  // Nothing listens there, and containerd asks there before any mirror.
  ...(['layer', 'config'] as const).map((where) => ({
    name: `a ${where} that names an address of its own`,
    sample: withUrls(where, 'http://127.0.0.1:9/steal'),
    faults: [],
  })),
];

test('prove and containerd agree', { timeout: 600_000 }, async (t) => {
  await using folder = await scratchFolder();
  await using daemon = await startPullingDaemon(folder.path);
  const ctr = [await toolPath('containerd', 'ctr'), '-a', daemon.socket];

  for (const [index, one] of cases.entries()) {
    await t.test(`on ${one.name}`, async (inner) => {
      const registry = await startRegistry(inner, { faults: one.faults });
      await fillRegistry(registry, one.sample);
      const hosts = join(folder.path, `hosts-${index}`);
      await mkdir(join(hosts, 'registry.k8s.io'), { recursive: true });
      await writeFile(join(hosts, 'registry.k8s.io/hosts.toml'), `server = "${registry.url}"\n`);
      const place = (kind: string) => ({ ctr, hosts, namespace: `case-${index}-${kind}` });

      const proven = await isProven(inner, one, registry);
      const target = one.sample.lock.spec.images[1]?.target.digest ?? '';
      const byTag = await pull(place('tag'), sampleImages.pause);
      const byDigest = await pull(place('digest'), `registry.k8s.io/pause@${target}`);

      assert.equal(proven, byTag === '' && byDigest === '', `${byTag}\n${byDigest}`);
    });
  }
});

async function isProven(
  t: TestContext,
  { sample }: Case,
  registry: { readonly url: string; readonly host: string },
): Promise<boolean> {
  const report = await proveSample(t, {
    lock: sample.lock,
    site: offlineSite(registry.host),
    configuration: { hosts: rulesTo(registry.url) },
  });
  return verdictOn(report, sampleImages.pause).kind === 'proven';
}
