import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { killedAt, letGoOfLock } from '../../../test/support/dying-disk.ts';
import { mirrorsRequest } from '../../../test/support/mirror-node.ts';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { isInterrupted } from '../../mirrors/write/change-node.ts';
import { whileLocked } from '../../mirrors/write/node-lock.ts';
import { writeMirrors } from '../../mirrors/write/write-mirrors.ts';
import { startRun } from '../../shared/run.ts';

const daemon = 'node/etc/docker/daemon.json';
const fix = ['mirrors', 'lint', '--root', 'node', '--runtime', 'docker@28.0.0', '--fix'];

async function place(folder: string): Promise<void> {
  await mkdir(dirname(join(folder, daemon)), { recursive: true });
  await writeFile(join(folder, daemon), '{"debugg": true}\n');
}

test('a fix of a node leaves it alone while another run changes it, and shows what it would do', async (t) => {
  const folder = await tempDir(t);
  await place(folder);
  const root = join(folder, 'node');

  await whileLocked(root, async () => {
    const before = await nodeFingerprint(root, true);
    const refused = await runCli(folder, ...fix);
    const shown = await runCli(folder, ...fix, '--dry-run');

    assert.equal(refused.exitCode, 74);
    assert.match(refused.stderr, /MIRROR_NODE_BUSY/);
    assert.match(shown.stdout, /\+\{"debug": true\}/);
    assert.deepEqual(await nodeFingerprint(root, true), before);
  });
  await runCli(folder, ...fix);

  assert.equal(await readFile(join(folder, daemon), 'utf8'), '{"debug": true}\n');
});

test('a fix takes back first what a run was cut off in, which could not be undone afterwards', async (t) => {
  const folder = await tempDir(t);
  await place(folder);
  const root = join(folder, 'node');
  await killedAt(30, (disk) => writeMirrors(mirrorsRequest(root, { disk }), startRun()));
  await letGoOfLock(root);
  assert.ok(await isInterrupted(root));

  await runCli(folder, ...fix);

  assert.equal(await isInterrupted(root), false);
  assert.equal(await readFile(join(folder, daemon), 'utf8'), '{"debug": true}\n');
});

test('a file that is a link is left and named, and the others are mended', async (t) => {
  const folder = await tempDir(t);
  const text = '{"debugg": true}\n';
  const at = (name: string) => join(folder, name);
  await mkdir(at('a'));
  await mkdir(at('b'));
  await writeFile(at('real'), text);
  await symlink('../real', at('a/daemon.json'));
  await writeFile(at('b/daemon.json'), text);

  const fixed = await runCli(folder, 'mirrors', 'lint', 'a/daemon.json', 'b/daemon.json', '--fix');

  assert.equal(fixed.exitCode, 1);
  assert.match(fixed.stdout, /left +a\/daemon\.json {2}\(is a link to \.\.\/real; name that file/);
  assert.match(fixed.stdout, /a\/daemon\.json:1:\d+ {2}error D004/);
  assert.equal(await readFile(at('real'), 'utf8'), text);
  assert.equal(await readFile(at('b/daemon.json'), 'utf8'), '{"debug": true}\n');
});
