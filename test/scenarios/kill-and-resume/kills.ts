/** Kills a command at every step and at moments spread over its run, and looks at the run after it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { seeded, type Timeline, waitForMoment } from './moments.ts';
import type { Throttle } from './throttle.ts';

const program = new URL('../../../bin/slipway.mjs', import.meta.url).pathname;

/** A command in a folder of its own, before its first run. */
export interface Subject {
  readonly folder: string;
  readonly args: readonly string[];
  /** What the command has finished for good: digests, and manifests that are put by their place. */
  finished(): Promise<ReadonlySet<string>>;
  /** A text that is equal for equal results. */
  fingerprint(): Promise<string>;
  /** Files that nobody asked for. */
  leftovers(): Promise<readonly string[]>;
  /** The same state in a place of its own; what is done there does not touch this one. */
  fork(): Promise<Subject>;
  /** Lets go of what the subject holds, such as a registry's content. */
  discard?(): Promise<void>;
}

/** A command to be killed. */
export interface Victim {
  readonly throttle: Throttle;
  /** The same start each time, in a new folder. */
  prepare(): Promise<Subject>;
}

/** A run that was ended by nobody. */
interface Undisturbed extends Timeline {
  readonly fingerprint: string;
  readonly transfers: number;
}

/**
 * Kills at each new entry, one after the other, until a run ends by itself; after each kill a second run in a
 * copy of what was left is let finish. Says how often.
 */
export async function killAtEveryEntry(
  victim: Victim,
): Promise<{ kills: number; transfers: number }> {
  const { throttle } = victim;
  const wanted = await runUndisturbed(victim);
  const subject = await victim.prepare();
  for (let kills = 0; ; kills += 1) {
    const before = await subject.finished();
    throttle.forget();
    throttle.permits = 1;
    const run = start(subject);
    const isGrown = async () => (await subject.finished()).size > before.size;
    while (!run.isEnded() && !(await isGrown())) await wait(8);
    run.child.kill('SIGKILL');
    const { code, output } = await run.ended;
    throttle.permits = Number.POSITIVE_INFINITY;
    assertNotAgain(throttle, before);
    if (code === null) {
      await finish(throttle, await subject.fork(), wanted);
      continue;
    }
    assert.equal(code, 0, output);
    await assertSame(subject, wanted);
    return { kills, transfers: wanted.transfers };
  }
}

/** Kills fresh runs at `moments` times, and lets each be finished. Says how many fell into transfers. */
export async function killAtMoments(victim: Victim, moments: number): Promise<number> {
  const { throttle } = victim;
  const quick = await runUndisturbed(victim);
  // Transfers fill three quarters of the run, however slow this machine is today.
  throttle.paceMs = Math.max(10, (3 * (quick.begins[0] ?? 0)) / quick.transfers);
  const wanted = await runUndisturbed(victim);
  assert.equal(wanted.fingerprint, quick.fingerprint);
  const random = seeded(7);
  const { paceMs } = throttle;
  let inTransfers = 0;
  for (let at = 0; at < moments; at += 1) {
    const subject = await victim.prepare();
    throttle.forget();
    throttle.paceMs = paceMs;
    const run = start(subject);
    const atMs = ((at + random()) / moments) * wanted.totalMs;
    const underway = { begun: () => throttle.asked.length, isEnded: run.isEnded };
    await Promise.race([waitForMoment(wanted, atMs, underway, random()), run.ended]);
    if (throttle.underWay > 0) inTransfers += 1;
    run.child.kill('SIGKILL');
    await run.ended;
    throttle.paceMs = 0;
    await finish(throttle, subject, wanted);
  }
  throttle.paceMs = 0;
  return inTransfers;
}

/** The run after a kill: it ends well, with the same result, and moves nothing that was finished. */
async function finish(throttle: Throttle, subject: Subject, wanted: Undisturbed): Promise<void> {
  const before = await subject.finished();
  throttle.forget();
  const { code, output } = await start(subject).ended;
  assert.equal(code, 0, output);
  assertNotAgain(throttle, before);
  await assertSame(subject, wanted);
}

async function runUndisturbed(victim: Victim): Promise<Undisturbed> {
  const { throttle } = victim;
  const subject = await victim.prepare();
  throttle.forget();
  const started = performance.now();
  const run = start(subject);
  const { code, output } = await run.ended;
  const totalMs = performance.now() - started;
  assert.equal(code, 0, output);
  assert.deepEqual(await subject.leftovers(), []);
  const transfers = throttle.finished.length;
  const begins = throttle.begins.map((atMs) => atMs - started);
  const fingerprint = await subject.fingerprint();
  await subject.discard?.();
  return { fingerprint, transfers, begins, totalMs };
}

function assertNotAgain(throttle: Throttle, before: ReadonlySet<string>): void {
  const again = throttle.asked.filter(({ what }) => before.has(what));
  assert.deepEqual(again, [], 'moved again although it was finished before the kill');
}

async function assertSame(subject: Subject, wanted: Undisturbed): Promise<void> {
  assert.equal(await subject.fingerprint(), wanted.fingerprint);
  assert.deepEqual(await subject.leftovers(), []);
  await subject.discard?.();
}

/** A process of the product. */
export interface StartedRun {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  isEnded(): boolean;
}

/** Starts the product: `start({ folder: '/tmp/x', args: ['plan', 'release.yaml'] })`. */
export function start({ folder, args }: Pick<Subject, 'folder' | 'args'>): StartedRun {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: 'pipe' });
  child.stdin.end();
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  // Node hands `close` the exit code, or null for a signal.
  const closed = once(child, 'close') as Promise<[number | null]>;
  const ended = closed.then(async ([code]) => ({ code, output: (await output).join('') }));
  return { child, ended, isEnded: () => child.exitCode !== null || child.signalCode !== null };
}
