/** A change of a node's mirror rules is killed for real, before every step and at twenty moments; nothing is lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isInterrupted, undoLastChange } from '../../../src/mirrors/write/change-node.ts';
import { writeMirrors } from '../../../src/mirrors/write/write-mirrors.ts';
import { startRun } from '../../../src/shared/run.ts';
import { filesIn, mirrorsRequest, nodeWith } from '../../support/mirror-node.ts';
import { nodeFingerprint } from '../../support/node-fingerprint.ts';

const foreign = {
  '/etc/containerd/certs.d/docker.io/hosts.toml': 'server = "https://docker.io"\n',
  '/etc/containerd/config.toml': 'version = 3\n# mine\n',
};

interface Killed {
  readonly root: string;
  readonly before: readonly string[];
  /** False when the change was over before the kill. */
  readonly wasKilled: boolean;
}

async function victim(t: TestContext, step: string, afterMs?: number): Promise<Killed> {
  const root = await nodeWith(t, foreign);
  const before = await nodeFingerprint(root);
  const script = new URL('apply-victim.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, root, step], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // What Node gives with "exit".
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  if (afterMs !== undefined) {
    await once(child.stdout, 'data');
    await wait(afterMs);
    child.kill('SIGKILL');
  }
  child.stdout.resume();
  const [, signal] = await ended;
  return { root, before, wasKilled: signal === 'SIGKILL' };
}

/** The old files are there, in their places or as copies; and both ways on lead to a whole state. */
async function lookAt({ root, before }: Killed, wanted: readonly string[], goOn: boolean) {
  const texts = Object.values(await filesIn(root));
  for (const text of Object.values(foreign)) assert.ok(texts.includes(text), 'nothing is lost');
  if (goOn) {
    await writeMirrors(mirrorsRequest(root, { replaceForeign: true }), startRun());
    assert.deepEqual(await nodeFingerprint(root), wanted);
  } else {
    if (await isInterrupted(root)) await undoLastChange(root);
    else await undoLastChange(root).catch(() => {});
    assert.deepEqual(await nodeFingerprint(root), before);
  }
}

async function wholeState(t: TestContext): Promise<readonly string[]> {
  const root = await nodeWith(t, foreign);
  await writeMirrors(mirrorsRequest(root, { replaceForeign: true }), startRun());
  return nodeFingerprint(root);
}

test('mirrors apply, killed before every step, goes on or is taken back (P4, P5)', async (t) => {
  const wanted = await wholeState(t);
  let kills = 0;
  for (let step = 0; ; step += 1) {
    const killed = await victim(t, String(step));
    if (!killed.wasKilled) break;
    kills += 1;
    await lookAt(killed, wanted, step % 2 === 0);
  }

  t.diagnostic(`${kills} kills`);
  assert.ok(kills > 10, `only ${kills} kills`);
});

test('mirrors apply, killed at any moment, goes on or is taken back (P4, P5)', async (t) => {
  const wanted = await wholeState(t);
  let kills = 0;
  for (let moment = 0; moment < 20; moment += 1) {
    const killed = await victim(t, 'none', moment * 1.5);
    if (killed.wasKilled) kills += 1;
    await lookAt(killed, wanted, moment % 2 === 0);
  }

  t.diagnostic(`${kills} of 20 were killed in time`);
  assert.ok(kills >= 5, `only ${kills} kills in time`);
});
