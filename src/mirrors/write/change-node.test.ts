import assert from 'node:assert/strict';
import { appendFile, chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  atEveryCall,
  killedAt,
  letGoOfLock,
  refusingDisk,
  unsyncedDisk,
} from '../../../test/support/dying-disk.ts';
import {
  filesIn,
  harbor,
  nodeWith,
  offline,
  mirrorsRequest as request,
} from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { startRun } from '../../shared/run.ts';
import { MirrorPathUnusable } from '../errors.ts';
import { isInterrupted, undoLastChange } from './change-node.ts';
import type { NodeDisk } from './node-disk.ts';
import { type MirrorsRequest, writeMirrors } from './write-mirrors.ts';

const hosts = '/etc/containerd/certs.d/docker.io/hosts.toml';
const config = '/etc/containerd/config.toml';
/** Files of somebody else, so that copies are made, changed and replaced. */
const foreign = {
  [hosts]: 'server = "https://docker.io"\n',
  [config]:
    'version = 3\n# mine\n[plugins."io.containerd.cri.v1.runtime"]\n  enable_selinux = true\n',
};
const order = { replaceForeign: true, sandboxImage: 'registry.k8s.io/pause:3.9' };

async function foreignNode(t: TestContext): Promise<string> {
  const root = await nodeWith(t, foreign);
  // Who is not root cannot give a file away; the modes are looked at alike.
  if (process.getuid?.() === 0) await chown(join(root, config), 1234, 5678);
  await chmod(join(root, config), 0o640);
  // Somebody made it already; it must not go with the file that we put into it.
  await mkdir(join(root, '/etc/containerd/certs.d/reg.example_5000_'));
  return root;
}

const apply = (root: string, more: Partial<MirrorsRequest> = {}) =>
  writeMirrors(
    request(root, { ...order, disk: unsyncedDisk, rules: offline.slice(0, 2), ...more }),
    startRun(),
  );

interface Killing {
  readonly prepare?: (root: string) => Promise<unknown>;
  readonly work: (root: string, disk: NodeDisk) => Promise<unknown>;
  readonly look: (root: string) => Promise<void>;
}

/** Kills `work` on a fresh node before each of its calls, and looks at what is left; says how many there were. */
function killAtEveryCall(
  t: TestContext,
  { prepare = async () => {}, work, look }: Killing,
): Promise<number> {
  return atEveryCall(async (at) => {
    const root = await foreignNode(t);
    await prepare(root);
    const wasKilled = await killedAt(at, (disk) => work(root, disk));
    await letGoOfLock(root);
    if (wasKilled) await look(root);
    return wasKilled;
  });
}

/** Takes back what can be; a node on which nothing was begun has nothing. */
async function undoAll(root: string): Promise<void> {
  await undoLastChange(root, unsyncedDisk).catch((error: { code?: string }) =>
    assert.equal(error.code, 'MIRROR_NOTHING_TO_UNDO'),
  );
}

test('a change that is killed before any call is taken back to the last byte, mode and folder', async (t) => {
  const before = await nodeFingerprint(await foreignNode(t), true);

  const calls = await killAtEveryCall(t, {
    work: (root, disk) => apply(root, { disk }),
    look: async (root) => {
      const texts = Object.values(await filesIn(root));
      for (const text of Object.values(foreign)) assert.ok(texts.includes(text), 'nothing is lost');
      await undoAll(root);
      assert.deepEqual(withoutParents(await nodeFingerprint(root, true)), before);
    },
  });

  assert.ok(calls > 30, `${calls} calls`);
});

/** Without `/var/lib`, which every node has, and this one not. */
function withoutParents(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !/^var(?:\/lib)? /.test(line));
}

test('the run after a kill ends as one that was not killed', async (t) => {
  const whole = await foreignNode(t);
  await apply(whole);
  const wanted = await nodeFingerprint(whole);

  await killAtEveryCall(t, {
    work: (root, disk) => apply(root, { disk }),
    look: async (root) => {
      const wasCutOff = await isInterrupted(root);
      const { warnings } = await apply(root);

      assert.deepEqual(await nodeFingerprint(root), wanted);
      assert.equal(
        warnings.some((text) => /what it had done was taken back/.test(text)),
        wasCutOff,
      );
    },
  });
});

test('an undo that is killed before any call goes on in the next one', async (t) => {
  const before = await nodeFingerprint(await foreignNode(t), true);

  const calls = await killAtEveryCall(t, {
    prepare: (root) => apply(root),
    work: (root, disk) => undoLastChange(root, disk),
    look: async (root) => {
      await undoAll(root);
      assert.deepEqual(withoutParents(await nodeFingerprint(root, true)), before);
    },
  });

  assert.ok(calls > 30, `${calls} calls`);
});

test('a change that was cut off does not take away the undo of the one before it', async (t) => {
  const before = await nodeFingerprint(await foreignNode(t), true);

  await killAtEveryCall(t, {
    prepare: (root) => apply(root, { rules: offline.slice(1, 2) }),
    work: (root, disk) => apply(root, { disk }),
    look: async (root) => {
      if (await isInterrupted(root)) await undoLastChange(root, unsyncedDisk);
      const isSecond = (await filesIn(root))[hosts] !== foreign[hosts];
      if (isSecond) return;
      await undoLastChange(root, unsyncedDisk);
      assert.deepEqual(withoutParents(await nodeFingerprint(root, true)), before);
    },
  });
});

test('a change that the system refuses at any call leaves the node as it was, and the error says so', async (t) => {
  const before = await nodeFingerprint(await foreignNode(t), true);

  await atEveryCall(async (at) => {
    const root = await foreignNode(t);
    const { disk, calls } = refusingDisk(at, 'ENOSPC');
    const failure = await apply(root, { disk }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return calls() > at;

    assert.ok(failure instanceof MirrorPathUnusable, String(failure));
    assert.notEqual(failure.data.when, 'while writing');
    assert.match(failure.fix, /^Free some space/);
    assert.deepEqual(withoutParents(await nodeFingerprint(root, true)), before, `call ${at}`);
    return true;
  });
});

test('a disk that refuses everything from some call on leaves a node that an undo brings back', async (t) => {
  const before = await nodeFingerprint(await foreignNode(t), true);
  const codes = new Set<string>();

  await atEveryCall(async (at) => {
    const root = await foreignNode(t);
    const { disk, calls } = refusingDisk(at, 'EROFS', true);
    await apply(root, { disk }).catch((error: { code: string }) => codes.add(error.code));
    await letGoOfLock(root);
    if (calls() <= at) return false;

    await undoAll(root);
    assert.deepEqual(withoutParents(await nodeFingerprint(root, true)), before, `call ${at}`);
    return true;
  });

  assert.deepEqual([...codes].sort(), ['MIRROR_CHANGE_HALF_DONE', 'MIRROR_PATH_UNUSABLE']);
});

test('an undo leaves nothing behind, also of files and folders that were not there', async (t) => {
  const root = await nodeWith(t, { '/etc/hostname': 'n\n' });
  const before = await nodeFingerprint(root, true);
  await writeMirrors(request(root), startRun());

  const undone = await undoLastChange(root);

  assert.deepEqual(await nodeFingerprint(root, true), before);
  assert.ok(undone.length >= 4 && undone.every(({ did }) => did === 'removed'));
  await assert.rejects(undoLastChange(root), { code: 'MIRROR_NOTHING_TO_UNDO' });
});

test('an undo takes back the last change only, rules and record alike', async (t) => {
  const root = await nodeWith(t);
  await writeMirrors(request(root), startRun());
  const first = await nodeFingerprint(root);
  const rules = [...offline, { registry: 'quay.io', targets: [harbor], fallback: false }];
  await writeMirrors(request(root, { rules }), startRun());

  await undoLastChange(root);

  assert.deepEqual(await nodeFingerprint(root), first);
  const again = await writeMirrors(request(root), startRun());
  assert.ok(again.actions.every((action) => action.do === 'keep'));
});

test('an undo refuses, by name, when somebody edited a file since, and touches nothing', async (t) => {
  const root = await foreignNode(t);
  await writeMirrors(request(root, order), startRun());
  await appendFile(join(root, hosts), '# mine\n');
  const edited = await nodeFingerprint(root, true);

  await assert.rejects(undoLastChange(root), {
    code: 'MIRROR_EDITED_SINCE',
    message: `somebody changed ${hosts} since Slipway did; nothing was taken back`,
  });

  assert.deepEqual(await nodeFingerprint(root, true), edited);
});

test('a run that changes nothing leaves the last change to be undone', async (t) => {
  const root = await foreignNode(t);
  const before = await nodeFingerprint(root);
  await writeMirrors(request(root, order), startRun());
  await writeMirrors(request(root, order), startRun());

  await undoLastChange(root);

  assert.deepEqual(await nodeFingerprint(root), before);
});

test('a dry run on a node between two states says so and changes nothing', async (t) => {
  const root = await foreignNode(t);
  await killedAt(30, (disk) => apply(root, { disk }));
  await letGoOfLock(root);
  assert.ok(await isInterrupted(root));
  const between = await nodeFingerprint(root, true);

  const { warnings } = await writeMirrors(request(root, { ...order, dryRun: true }), startRun());

  assert.match(warnings.join(), /cut off, and the node is between two states/);
  assert.deepEqual(await nodeFingerprint(root, true), between);
});

test('a damaged record or copy is an error that names the file', async (t) => {
  const state = '/var/lib/slipway/mirrors';
  const root = await foreignNode(t);
  await writeMirrors(request(root, order), startRun());
  const record = join(root, state, 'last-change.json');
  const text = await readFile(record, 'utf8');
  const copies = /"copies": "([^"]+)"/.exec(text)?.[1] ?? '';

  await writeFile(record, '{');
  await assert.rejects(undoLastChange(root), { code: 'MIRROR_RECORD_BROKEN' });
  await writeFile(record, text);
  await writeFile(join(root, state, copies, '1'), 'x');
  await assert.rejects(undoLastChange(root), { code: 'MIRROR_RECORD_BROKEN' });
});

test('who may not read the record may still ask what would be written, and writes nothing', async (t) => {
  const state = '/var/lib/slipway/mirrors';
  const root = await nodeWith(t, {
    ...foreign,
    // Folders stand for files of root: neither can be read, whoever runs the tests.
    [`${state}/rules.json/x`]: '',
    [`${state}/last-change.json/x`]: '',
  });

  const { actions } = await writeMirrors(request(root, { ...order, dryRun: true }), startRun());

  assert.ok(actions.some((action) => action.do === 'write'));
  await assert.rejects(writeMirrors(request(root, order), startRun()), {
    code: 'MIRROR_RECORD_BROKEN',
    message: /last-change\.json cannot be read/,
  });
});
