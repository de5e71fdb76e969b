import assert from 'node:assert/strict';
import { appendFile, chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import {
  filesIn,
  harbor,
  nodeWith,
  offline,
  mirrorsRequest as request,
} from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { startRun } from '../../shared/run.ts';
import { isInterrupted, undoLastChange } from './change-node.ts';
import { writeMirrors } from './write-mirrors.ts';

const hosts = '/etc/containerd/certs.d/docker.io/hosts.toml';
const config = '/etc/containerd/config.toml';
/** Files of somebody else, so that copies are made, changed and replaced. */
const foreign = {
  [hosts]: 'server = "https://docker.io"\n',
  [config]:
    'version = 3\n# mine\n[plugins."io.containerd.cri.v1.runtime"]\n  enable_selinux = true\n',
};
const order = { replaceForeign: true, sandboxImage: 'registry.k8s.io/pause:3.9' };

class Killed extends Error {}

/** Throws before step number `at`, counted from 0; `steps` is how many there were. */
function killBefore(at: number) {
  const kill = { steps: 0, isReached: false };
  const beforeStep = async () => {
    if (kill.steps === at) {
      kill.isReached = true;
      throw new Killed();
    }
    kill.steps += 1;
  };
  return { kill, beforeStep };
}

async function foreignNode(t: TestContext): Promise<string> {
  const root = await nodeWith(t, foreign);
  await chmod(join(root, config), 0o640);
  return root;
}

/** Runs `work` on a fresh node for each step until it is not killed any more. */
async function atEveryStep(
  t: TestContext,
  work: (root: string, beforeStep: () => Promise<void>) => Promise<unknown>,
  look: (root: string, before: readonly string[]) => Promise<void>,
): Promise<number> {
  for (let at = 0; ; at += 1) {
    const root = await foreignNode(t);
    const before = await nodeFingerprint(root);
    const { kill, beforeStep } = killBefore(at);
    await work(root, beforeStep).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    if (!kill.isReached) return at;
    await look(root, before);
  }
}

test('a change that is killed before any step is taken back to the last byte, or was never begun', async (t) => {
  const steps = await atEveryStep(
    t,
    (root, beforeStep) => writeMirrors(request(root, { ...order, beforeStep }), startRun()),
    async (root, before) => {
      const texts = Object.values(await filesIn(root));
      for (const text of Object.values(foreign)) assert.ok(texts.includes(text), 'nothing is lost');
      if (await isInterrupted(root)) await undoLastChange(root);
      else if ((await nodeFingerprint(root)).length > before.length) await undoLastChange(root);
      assert.deepEqual(await nodeFingerprint(root), before);
    },
  );

  assert.ok(steps > 10, `${steps} steps`);
});

test('the run after a kill ends as one that was not killed', async (t) => {
  const whole = await foreignNode(t);
  await writeMirrors(request(whole, order), startRun());
  const wanted = await nodeFingerprint(whole);

  await atEveryStep(
    t,
    (root, beforeStep) => writeMirrors(request(root, { ...order, beforeStep }), startRun()),
    async (root) => {
      const wasCutOff = await isInterrupted(root);
      const { warnings } = await writeMirrors(request(root, order), startRun());

      assert.deepEqual(await nodeFingerprint(root), wanted);
      assert.equal(
        warnings.some((text) => /what it had done was taken back/.test(text)),
        wasCutOff,
      );
    },
  );
});

test('an undo that is killed before any step goes on in the next one', async (t) => {
  const steps = await atEveryStep(
    t,
    async (root, beforeStep) => {
      await writeMirrors(request(root, order), startRun());
      await undoLastChange(root, beforeStep);
    },
    async (root, before) => {
      await undoLastChange(root).catch((error: { code?: string }) =>
        assert.equal(error.code, 'MIRROR_NOTHING_TO_UNDO'),
      );
      assert.deepEqual(await nodeFingerprint(root), before);
    },
  );

  assert.ok(steps > 10, `${steps} steps`);
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
  const { beforeStep } = killBefore(4);
  await writeMirrors(request(root, { ...order, beforeStep }), startRun()).catch(() => {});
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
