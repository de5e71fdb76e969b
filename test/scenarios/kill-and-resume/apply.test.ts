/** A change of a node's mirror rules and its undo are killed for real, before every call and at moments; nothing is lost. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { isInterrupted, undoLastChange } from '../../../src/mirrors/write/change-node.ts';
import { writeMirrors } from '../../../src/mirrors/write/write-mirrors.ts';
import { startRun } from '../../../src/shared/run.ts';
import { atEveryCall } from '../../support/dying-disk.ts';
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

interface Murder {
  readonly what: 'apply' | 'undo';
  /** The call before which it happens, if not at a moment. */
  readonly call?: number;
  readonly afterMs?: number;
}

async function victim(t: TestContext, { what, call, afterMs }: Murder): Promise<Killed> {
  const root = await nodeWith(t, foreign);
  const before = await nodeFingerprint(root);
  if (what === 'undo') await apply(root);
  const script = new URL('apply-victim.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, root, what, String(call ?? 'none')], {
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

const apply = (root: string) =>
  writeMirrors(mirrorsRequest(root, { replaceForeign: true }), startRun());

/** The old files are there, in their places or as copies; and both ways on lead to a whole state. */
async function lookAt({ root, before }: Killed, wanted: readonly string[], goOn: boolean) {
  const texts = Object.values(await filesIn(root));
  for (const text of Object.values(foreign)) assert.ok(texts.includes(text), 'nothing is lost');
  if (goOn) {
    await apply(root);
    assert.deepEqual(await nodeFingerprint(root), wanted);
  } else {
    if (await isInterrupted(root)) await undoLastChange(root);
    else await undoLastChange(root).catch(() => {});
    assert.deepEqual(await nodeFingerprint(root), before);
  }
}

async function wholeState(t: TestContext): Promise<readonly string[]> {
  const root = await nodeWith(t, foreign);
  await apply(root);
  return nodeFingerprint(root);
}

for (const what of ['apply', 'undo'] as const) {
  test(`mirrors ${what}, killed before every call, goes on or is taken back (P4, P5)`, async (t) => {
    const wanted = await wholeState(t);
    const kills = await atEveryCall(async (call) => {
      const killed = await victim(t, { what, call });
      if (killed.wasKilled) await lookAt(killed, wanted, call % 2 === 0);
      return killed.wasKilled;
    });

    t.diagnostic(`${kills} kills`);
    assert.ok(kills > 30, `only ${kills} kills`);
  });
}

test('mirrors apply, killed at any moment, goes on or is taken back (P4, P5)', async (t) => {
  const wanted = await wholeState(t);
  let kills = 0;
  for (let moment = 0; moment < 20; moment += 1) {
    const killed = await victim(t, { what: 'apply', afterMs: moment * 1.5 });
    if (killed.wasKilled) kills += 1;
    await lookAt(killed, wanted, moment % 2 === 0);
  }

  t.diagnostic(`${kills} of 20 were killed in time`);
  assert.ok(kills >= 5, `only ${kills} kills in time`);
});
