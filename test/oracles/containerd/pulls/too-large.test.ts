/**
 * Two mirrors of which the first announces too large a manifest: an image is proven exactly when a real
 * containerd pulls it, by tag and by digest. Needs root and the built tools (npm run test:e2e:tools).
 */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { digestOf } from '../../../../src/oci/digest.ts';
import { answer, type Fault } from '../../../support/faults.ts';
import { fillRegistry } from '../../../support/fill-registry.ts';
import {
  offlineSite,
  proveSample,
  sampleImages,
  verdictOn,
} from '../../../support/prove-sample.ts';
import { sampleLock } from '../../../support/sample-lock.ts';
import { startRegistry } from '../../../support/start-registry.ts';
import { toolPath } from '../../../support/tools/build-tools.ts';
import { scratchFolder } from '../../../support/tools/scratch-folder.ts';
import { pull, startPullingDaemon } from './pulling-daemon.ts';

const sample = sampleLock();
const pause = sample.lock.spec.images[1];
assert.ok(pause !== undefined);
const { digest, mediaType } = pause.target;

/** What containerd still takes: it was meant to be 4 MiB. */
const largest = 4 * 1048 * 1048;
const any = /\/v2\/pause\/manifests\//;
const byTag = /\/v2\/pause\/manifests\/3\.9/;
const byDigest = /\/v2\/pause\/manifests\/sha256/;
const usual = { 'content-type': mediaType, 'docker-content-digest': digest };
const huge = Buffer.alloc(largest + 1, ' ');

function announcing(path: RegExp, size: number, more: Readonly<Record<string, string>> = {}) {
  const headers = { ...usual, 'content-length': `${size}`, ...more };
  return answer({ method: 'HEAD', path, status: 200, headers });
}

/** The faults of the first mirror, and of the second where it has some. */
const cases: ReadonlyArray<
  readonly [name: string, isPulled: boolean, first: readonly Fault[], second?: readonly Fault[]]
> = [
  ['one byte too much', true, [announcing(any, largest + 1)]],
  ['as much as it may', false, [announcing(any, largest)]],
  [
    'too much under the tag, with the digest of another',
    false,
    [announcing(byTag, largest + 1, { 'docker-content-digest': digestOf('other') })],
  ],
  ['too much under the digest', true, [announcing(byDigest, largest + 1)]],
  [
    'too much under the digest, with the digest of another',
    true,
    [announcing(byDigest, largest + 1, { 'docker-content-digest': digestOf('other') })],
  ],
  [
    'no size, and too much when read under the tag',
    false,
    [
      answer({ method: 'HEAD', path: byTag, status: 200, headers: usual }),
      answer({ method: 'GET', path: byTag, status: 200, headers: usual, body: huge }),
    ],
  ],
  [
    'too much, and another image under the tag of the second mirror',
    true,
    [announcing(byTag, largest + 1)],
    [
      announcing(byTag, pause.target.size, {
        'docker-content-digest': digestOf('other'),
      }),
    ],
  ],
  ['too much at both', false, [announcing(any, largest + 1)], [announcing(any, largest + 1)]],
];

test('prove and containerd agree on the first mirror with', { timeout: 600_000 }, async (t) => {
  await using folder = await scratchFolder();
  await using daemon = await startPullingDaemon(folder.path);
  const ctr = [await toolPath('containerd', 'ctr'), '-a', daemon.socket];

  for (const [index, [name, isPulled, first, second = []]] of cases.entries()) {
    await t.test(name, async (inner) => {
      const one = await startRegistry(inner, { faults: first });
      const two = await startRegistry(inner, { faults: second });
      for (const registry of [one, two]) await fillRegistry(registry, sample);
      const rules = `server = "${two.url}"\n[host."${one.url}"]\n`;
      const hosts = join(folder.path, `hosts-${index}`);
      await mkdir(join(hosts, 'registry.k8s.io'), { recursive: true });
      await writeFile(join(hosts, 'registry.k8s.io/hosts.toml'), rules);
      const place = (kind: string) => ({ ctr, hosts, namespace: `case-${index}-${kind}` });

      const report = await proveSample(inner, {
        lock: sample.lock,
        site: offlineSite(one.host, two.host),
        configuration: { hosts: { 'registry.k8s.io': rules, 'cr.openfuyao.cn': rules } },
      });
      const refusals = [
        await pull(place('tag'), sampleImages.pause),
        await pull(place('digest'), `registry.k8s.io/pause@${digest}`),
      ];

      const verdict = verdictOn(report, sampleImages.pause);
      assert.equal(refusals.join('') === '', isPulled, refusals.join('\n'));
      assert.equal(verdict.kind === 'proven', isPulled, JSON.stringify(verdict));
    });
  }
});
