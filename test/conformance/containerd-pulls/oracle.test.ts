/**
 * Odd answers and odd images, pulled by a real containerd and proved by us: an image is proven exactly when
 * containerd pulls it, by tag and by digest. Needs root and the built tools (npm run test:e2e:tools).
 */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { Fault } from '../../support/faults.ts';
import { fillRegistry } from '../../support/fill-registry.ts';
import { oddAnswers } from '../../support/odd-answers.ts';
import { respelled, unreadableImages } from '../../support/odd-images.ts';
import {
  offlineSite,
  proveSample,
  rulesTo,
  sampleImages,
  verdictOn,
} from '../../support/prove-sample.ts';
import { type SampleLock, sampleLock } from '../../support/sample-lock.ts';
import { startRegistry } from '../../support/start-registry.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { scratchFolder } from '../../support/tools/scratch-folder.ts';
import { startProgram } from '../../support/tools/start-program.ts';
import { waitUntil } from '../../support/tools/wait-until.ts';

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
];

test('prove and containerd agree', { timeout: 600_000 }, async (t) => {
  await using folder = await scratchFolder();
  const socket = join(folder.path, 'c.sock');
  const config = join(folder.path, 'config.toml');
  await writeFile(config, configuration(folder.path, socket));
  const containerd = await toolPath('containerd', 'containerd');
  await using daemon = startProgram([containerd, '-c', config], join(folder.path, 'log'));
  const ctr = [await toolPath('containerd', 'ctr'), '-a', socket];
  await waitUntil(async () => (await runProgram([...ctr, 'version'])).code === 0, {
    what: 'containerd to answer',
    timeoutMs: 60_000,
    evidence: () => daemon.output(),
  });

  for (const [index, one] of cases.entries()) {
    await t.test(`on ${one.name}`, async (inner) => {
      const registry = await startRegistry(inner, { faults: one.faults });
      await fillRegistry(registry, one.sample);
      const hosts = join(folder.path, `hosts-${index}`);
      await mkdir(join(hosts, 'registry.k8s.io'), { recursive: true });
      await writeFile(join(hosts, 'registry.k8s.io/hosts.toml'), `server = "${registry.url}"\n`);
      const place = { ctr, hosts, namespace: `case-${index}` };

      const proven = await isProven(inner, one, registry);
      const target = one.sample.lock.spec.images[1]?.target.digest ?? '';
      const byTag = await pull(place, sampleImages.pause, 'tag');
      const byDigest = await pull(place, `registry.k8s.io/pause@${target}`, 'digest');

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

interface PullPlace {
  readonly ctr: readonly string[];
  readonly hosts: string;
  readonly namespace: string;
}

/** What containerd says against it; empty when it pulled the image and unpacked it. */
async function pull(
  { ctr, hosts, namespace }: PullPlace,
  name: string,
  kind: string,
): Promise<string> {
  const options = ['--local', '--snapshotter', 'native', '--platform', 'linux/amd64'];
  const place = ['-n', `${namespace}-${kind}`, 'images', 'pull', '--hosts-dir', hosts];
  const { code, stderr, stdout } = await runProgram([...ctr, ...place, ...options, name], {
    okCodes: [0, 1],
  });
  return code === 0 ? '' : `${kind}: ${stderr || stdout}`;
}

/** Every namespace has to fetch for itself, as if it were a node of its own. */
function configuration(folder: string, socket: string): string {
  return `version = 3
root = "${folder}/root"
state = "${folder}/state"
disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime", "io.containerd.nri.v1.nri"]
[grpc]
  address = "${socket}"
[plugins."io.containerd.metadata.v1.bolt"]
  content_sharing_policy = "isolated"
`;
}
