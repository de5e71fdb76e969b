/**
 * Generated configurations, pulled by the running daemon of each line through its CRI, in a network of its
 * own where one machine is every registry: what reaches the registries, and whether the image comes, must
 * be what we compute. Needs root and the built tools (npm run test:e2e:tools).
 *
 * SLIPWAY_SEED and SLIPWAY_RUNS choose other cases and another number of them.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { type Hub, startHub } from '../../support/netns/hub.ts';
import type { ContainerNode } from '../../support/netns/node.ts';
import { scratchFolder } from '../../support/tools/scratch-folder.ts';
import { runOptions } from '../run-options.ts';
import type { PullAnswer } from './answers.ts';
import { pullByCri } from './daemon/cri-client.ts';
import { layOut, startLineNode } from './daemon/line-node.ts';
import { type Recorder, startRecorder } from './daemon/recorder.ts';
import { groupRequests, isPulled, visibleRequests } from './daemon/seen-requests.ts';
import { generateCases } from './generator/cases.ts';
import { type LineCase, lineCase } from './line-case.ts';
import { type Line, lines } from './lines.ts';
import { mainKinds } from './main-configs.ts';
import { openLine, ourAnswer } from './our-answer.ts';
import { createPki, type Pki } from './pki.ts';

const options = runOptions({ count: 120 });
const cases = generateCases({ ...options, settled: true });

/** What all lines share. */
interface Site {
  readonly hub: Hub;
  readonly recorder: Recorder;
  readonly pki: Pki;
  readonly folder: string;
}

test(`running daemons (seed ${options.seed})`, {
  timeout: 1_500_000,
  concurrency: 3,
}, async (t) => {
  await using folder = await scratchFolder();
  await using hub = await startHub();
  const pki = await createPki();
  await using recorder = await startRecorder(hub.machineAddress, pki);
  const site = { hub, recorder, pki, folder: folder.path };

  await Promise.all(
    lines.map((line) =>
      t.test(`containerd ${line.version} pulls ${cases.length} images as we say`, (inner) =>
        pullAll(inner, line, site),
      ),
    ),
  );
});

/** One daemon for each main configuration: only that one is read at its start. */
async function pullAll(t: TestContext, line: Line, site: Site): Promise<void> {
  const folder = join(site.folder, line.name);
  const runtime = await openLine(line);
  for (const main of mainKinds) {
    await using node = await startLineNode({ ...site, folder, line, main });
    let pulls = 0;
    for (const one of cases.filter((candidate) => candidate.main === main)) {
      const placed = lineCase(one, line, site.pki);
      const ours = await ourAnswer(placed, runtime);
      if (isDeadly(ours)) continue;
      await comparePull(placed, ours, node, site);
      pulls += 1;
    }
    t.diagnostic(`${pulls} pulls with the main configuration "${main}"`);
  }
}

/** The whole daemon ends where its reader of hosts.toml panics. */
function isDeadly({ refused }: PullAnswer): boolean {
  return refused?.startsWith('PANIC') === true;
}

async function comparePull(
  placed: LineCase,
  ours: PullAnswer,
  node: ContainerNode,
  site: Site,
): Promise<void> {
  await layOut(node, placed);
  const recording = site.recorder.watch(node.address, placed.world);

  const refusal = await pullByCri(node.socket, placed.reference);

  const what = `${refusal}\n${JSON.stringify({ ...placed, files: rulesOf(placed) })}`;
  const seen = groupRequests(recording.requests);
  assert.deepEqual(groupRequests(visibleRequests(ours)), seen, what);
  assert.equal(isPulled(ours), refusal === '', what);
}

function rulesOf({ files }: LineCase): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('/tls/')));
}
