/** `slipway registry serve --store` is killed while it is pushed to; its client asks, then sends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { tempDir } from '../../support/temp-dir.ts';
import { copyOf, digestsIn, filesBelow } from './folder-facts.ts';
import { type StartedRun, start } from './kills.ts';
import { seeded, waitForMoment } from './moments.ts';
import { assertHasEverything, contents, type Pushing, push } from './pushing-client.ts';

const moments = 20;

interface Serving extends Pushing {
  readonly run: StartedRun;
  /** Resolves when everything is pushed (true) or the registry is gone. */
  readonly pushed: Promise<boolean>;
  readonly url: Promise<string>;
}

/** Starts the registry, and a push as soon as it answers. */
function serveAndPush(t: TestContext, store: string, paceMs: number): Serving {
  const listen = ['--listen', '127.0.0.1:0', '--quiet'];
  const run = start({ folder: '/', args: ['registry', 'serve', '--store', store, ...listen] });
  t.after(() => run.child.kill('SIGKILL'));
  const pushing: Pushing = { sent: [], begins: [], isSending: false };
  const url = shownUrl(run);
  const pushed = url
    .then((address) => push(address, paceMs, pushing))
    .then(
      () => true,
      () => false,
    );
  void url.catch(() => {}); // killed before it answered
  // The same object, since it goes on changing.
  return Object.assign(pushing, { run, pushed, url });
}

async function shownUrl({ child, ended }: StartedRun): Promise<string> {
  let shown = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
  });
  for (;;) {
    const url = / at (http:\S+),/.exec(shown)?.[1];
    if (url !== undefined) return url;
    const isGone = ended.then(({ output }) => assert.fail(`it ended: ${output}`));
    await Promise.race([once(child.stdout ?? child, 'data'), isGone]);
  }
}

async function kill({ run, pushed }: Serving): Promise<void> {
  run.child.kill('SIGKILL');
  await run.ended;
  await pushed;
}

/** What bears its final name: blobs, links, manifests, tags. */
async function finishedIn(store: string): Promise<string[]> {
  return (await filesBelow(store)).filter((path) => !isHidden(path));
}

/**
 * What the registry has said that it holds: a repository's link is made last, and the answer comes after it. Bytes
 * without a link may be any repository's, so a client is rightly asked for them again.
 */
async function heldIn(store: string): Promise<ReadonlySet<string>> {
  const links = (await finishedIn(store)).map((path) => path.replace('/_blobs/', '/blobs/'));
  return new Set(digestsIn(links.filter((path) => path.startsWith('repositories/'))));
}

function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'));
}

/** The next run takes what is missing and nothing else, ends with 0, and leaves nothing lying around. */
async function assertResumes(t: TestContext, store: string): Promise<void> {
  const held = await heldIn(store);
  const serving = serveAndPush(t, store, 0);
  assert.equal(await serving.pushed, true);
  assert.deepEqual(
    serving.sent.filter((digest) => held.has(digest)),
    [],
  );
  await assertHasEverything(await serving.url);
  const blobs = contents.filter(({ tag }) => tag === undefined);
  assert.equal((await heldIn(store)).size, blobs.length);
  serving.run.child.kill('SIGTERM');
  const { code, output } = await serving.run.ended;
  assert.equal(code, 0, output);
  assert.deepEqual((await filesBelow(store)).filter(isHidden), []);
}

/** When the transfers begin, and when everything is pushed. */
async function undisturbed(t: TestContext, paceMs: number) {
  const started = performance.now();
  const serving = serveAndPush(t, join(await tempDir(t), 'store'), paceMs);
  assert.equal(await serving.pushed, true);
  const totalMs = performance.now() - started;
  await kill(serving);
  return { begins: serving.begins.map((atMs) => atMs - started), totalMs };
}

suite('registry serve --store', { concurrency: 2 }, () => {
  test('killed at every file that it finishes, it is asked for the rest only (P4, P5)', async (t) => {
    const store = join(await tempDir(t), 'store');
    let kills = 0;

    for (let isDone = false; !isDone; kills += 1) {
      const before = await finishedIn(store);
      const held = await heldIn(store);
      const serving = serveAndPush(t, store, 0);
      void serving.pushed.then((isWhole) => {
        isDone = isWhole;
      });
      while (!isDone && (await finishedIn(store)).length === before.length) await wait(4);
      await kill(serving);
      if (!isDone) await assertResumes(t, await copyOf(t, store));
      assert.deepEqual(
        serving.sent.filter((digest) => held.has(digest)),
        [],
      );
    }

    t.diagnostic(`${kills - 1} kills, ${(await finishedIn(store)).length} files`);
    assert.ok(kills > contents.length, `only ${kills - 1} kills for ${contents.length} pushes`);
    await assertResumes(t, store);
  });

  test('killed at any moment, it serves everything after the next push (P4, P5)', async (t) => {
    const [startMs = 0] = (await undisturbed(t, 0)).begins;
    const paceMs = Math.max(10, (3 * startMs) / contents.length);
    const measured = await undisturbed(t, paceMs);
    const random = seeded(11);
    let inTransfers = 0;

    for (let at = 0; at < moments; at += 1) {
      const store = join(await tempDir(t), 'store');
      const serving = serveAndPush(t, store, paceMs);
      const atMs = ((at + random()) / moments) * measured.totalMs;
      const underway = { begun: () => serving.begins.length, isEnded: serving.run.isEnded };
      await waitForMoment(measured, atMs, underway, random());
      if (serving.isSending) inTransfers += 1;
      await kill(serving);
      await assertResumes(t, store);
    }

    t.diagnostic(`${inTransfers} of ${moments} kills in transfers`);
    assert.ok(inTransfers >= moments / 2, `only ${inTransfers} of ${moments} kills in transfers`);
  });
});
