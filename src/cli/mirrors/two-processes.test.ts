import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { filesIn, nodeWith } from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';

const program = new URL('../../../bin/slipway.mjs', import.meta.url).pathname;
const certs = '/etc/containerd/certs.d';
const state = '/var/lib/slipway/mirrors';

interface Ended {
  readonly pid: number | undefined;
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** `slipway mirrors …` on a node, as a process of its own. */
async function mirrors(root: string, ...words: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, 'mirrors', ...words, '--root', root], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { pid: child.pid, exitCode: child.exitCode, stderr };
}

const add = (root: string, registry: string) =>
  mirrors(root, 'add', registry, '--to', 'm.example', '--runtime', 'containerd@2.1.1');

/** Each one did its work, or was told which of the others holds the node. */
function assertDoneOrTold(all: readonly Ended[]): void {
  for (const { exitCode, stderr } of all) {
    if (exitCode === 0) continue;
    assert.match(stderr, /MIRROR_NODE_BUSY/);
    const holder = Number(/process (\d+) on /.exec(stderr)?.[1]);
    assert.ok(
      all.some(({ pid }) => pid === holder),
      stderr,
    );
  }
  assert.ok(all.some(({ exitCode }) => exitCode === 0));
}

test('processes that add rules to one node at once lose none: each rule is there, or its process was told who holds the node', async (t) => {
  const root = await nodeWith(t);
  const registries = ['a.example', 'b.example', 'c.example'];

  const all = await Promise.all(registries.map((registry) => add(root, registry)));

  assertDoneOrTold(all);
  const files = await filesIn(root);
  const there = registries.map((registry) => `${certs}/${registry}/hosts.toml` in files);
  assert.deepEqual(
    there,
    all.map(({ exitCode }) => exitCode === 0),
  );
});

test('an undo beside a change takes a whole change back, or is told who holds the node', async (t) => {
  const root = await nodeWith(t);
  await add(root, 'a.example');
  const one = await nodeFingerprint(root);

  const [added, undone] = await Promise.all([
    add(root, 'b.example'),
    mirrors(root, 'apply', '--undo'),
  ]);

  assertDoneOrTold([added, undone]);
  // Who was refused waits and asks again.
  if (undone.exitCode !== 0) await mirrors(root, 'apply', '--undo');
  const files = await nodeFingerprint(root);
  const has = (registry: string) => files.some((line) => line.includes(`/${registry}/hosts.toml`));
  if (has('a.example')) assert.deepEqual(files, one, 'the undo came last');
  else assert.equal(has('b.example'), added.exitCode === 0, 'the undo came first');
});

test('a lock of a process on another machine is obeyed, and a lock file of garbage is taken over', async (t) => {
  const root = await nodeWith(t);
  await mkdir(join(root, state), { recursive: true });
  await writeFile(join(root, state, 'lock'), '\u0000garbage');

  assert.equal((await add(root, 'a.example')).exitCode, 0);

  const elsewhere = { pid: 1, host: 'elsewhere', boot: 'b', start: '1', namespace: 'n' };
  const holder = { id: 'x', process: elsewhere };
  await mkdir(join(root, state), { recursive: true });
  await writeFile(join(root, state, 'lock'), JSON.stringify(holder));
  const before = await nodeFingerprint(root, true);
  const refused = await add(root, 'b.example');

  assert.match(refused.stderr, /process 1 on elsewhere .*MIRROR_NODE_BUSY/s);
  assert.match(refused.stderr, /Look on elsewhere whether process 1 still runs/);
  assert.deepEqual(await nodeFingerprint(root, true), before);
});
