import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Lock } from '../../release/lock.ts';
import { formatLock } from '../../release/lock-document.ts';

/** A folder with a Lock, a Site and an empty node. */
async function place(t: TestContext, trust = '{ca: ca.pem}'): Promise<string> {
  const folder = await tempDir(t);
  await writeSampleLock(folder, sampleLock());
  await writeFile(join(folder, 'ca.pem'), (await serverCertificate()).ca);
  await mkdir(join(folder, 'node'));
  const main = `{address: registry.example/platform, trust: ${trust}}`;
  await writeSite(folder, main, '{management: {runtime: containerd@2.1.1}}');
  return folder;
}

const write = ['mirrors', 'write', '--site', 'site.yaml', '--root', 'node'];
const hosts = 'node/etc/containerd/certs.d/registry.k8s.io/hosts.toml';

test('mirrors write finds Lock and runtime, gives reasons, the restart (R0-31) and the next command', async (t) => {
  const folder = await place(t);

  const { exitCode, stdout } = await runCli(folder, ...write);

  assert.equal(exitCode, 0);
  assert.match(stdout, /^the rules of containerd@2\.1\.1 below node are in place and read back/);
  assert.match(stdout, /write .*registry\.k8s\.io\/hosts\.toml +registry\.k8s\.io is pulled from/);
  assert.match(
    stdout,
    /now: systemctl restart containerd {3}\(containerd reads its main configuration only/,
  );
  assert.match(
    stdout,
    /next: slipway prove sample\.lock\.yaml --site site\.yaml --root node --runtime containerd@2\.1\.1\n$/,
  );
  assert.match(await readFile(join(folder, hosts), 'utf8'), /registry\.example/);
});

test('the next command names the record of a load that rewrote indexes', async (t) => {
  const folder = await place(t);
  await writeFile(join(folder, 'sample.bundle.rewrites.json'), '{}');

  const { stdout } = await runCli(folder, ...write);

  assert.match(stdout, /next: slipway prove .* --rewritten sample\.bundle\.rewrites\.json\n$/);
});

test('a second mirrors write changes nothing and says so', async (t) => {
  const folder = await place(t);
  await runCli(folder, ...write);

  const { stdout } = await runCli(folder, ...write);

  assert.match(stdout, /are as they should be; nothing was changed/);
  assert.match(stdout, /\ncontainerd needs no restart\n/);
});

test('--quiet names no files that stay as they are', async (t) => {
  const folder = await place(t);
  await runCli(folder, ...write);

  const loud = await runCli(folder, ...write);
  const quiet = await runCli(folder, ...write, '--quiet');

  assert.match(loud.stdout, /\n {2}keep /);
  assert.doesNotMatch(quiet.stdout, /\n {2}keep /);
  assert.match(quiet.stdout, /are as they should be; nothing was changed/);
});

test('--dry-run writes nothing and gives the command that does', async (t) => {
  const folder = await place(t);

  const { stdout } = await runCli(folder, ...write, '--dry-run', '--replace');

  assert.match(stdout, /need \d files changed; nothing was written yet/);
  assert.match(stdout, /next: slipway mirrors write .*--runtime containerd@2\.1\.1 --replace\n$/);
  assert.deepEqual(await readdir(join(folder, 'node')), []);
});

const config = 'node/etc/containerd/config.toml';

test('the sandbox image is the one that the Lock names, whatever others are called', async (t) => {
  const folder = await place(t);
  const { lock } = sampleLock();
  const sandbox = 'cr.openfuyao.cn/openfuyao/app:v1';
  await writeLock(folder, { ...lock, spec: { ...lock.spec, sandbox } });

  await runCli(folder, ...write);

  assert.match(
    await readFile(join(folder, config), 'utf8'),
    /sandbox = "cr\.openfuyao\.cn\/openfuyao\/app:v1"/,
  );
});

test('a Lock without a sandbox image leaves the one of the runtime, with a warning', async (t) => {
  const folder = await place(t);
  const { lock } = sampleLock();
  const { sandbox: _, ...spec } = lock.spec;
  await writeLock(folder, { ...lock, spec });

  const { stdout } = await runCli(folder, ...write);

  assert.match(stdout, /\nwarning: the Lock names no sandbox image, so the runtime keeps its own/);
  assert.doesNotMatch(await readFile(join(folder, config), 'utf8'), /sandbox/);
});

function writeLock(folder: string, lock: Lock): Promise<void> {
  return writeFile(join(folder, 'sample.lock.yaml'), formatLock(lock));
}

test('certificates are left unchecked only with the long option, and the report says so (R0-87)', async (t) => {
  const folder = await place(t, '{insecureSkipVerify: true}');

  const refused = await runCli(folder, ...write);
  const allowed = await runCli(folder, ...write, '--insecure-skip-verify');

  assert.equal(refused.exitCode, 78);
  assert.match(refused.stderr, /MIRROR_SKIP_VERIFY_NOT_ALLOWED/);
  assert.equal(allowed.exitCode, 0);
  assert.match(allowed.stdout, /warning: registry\.example is not verified: anybody .* believed\n/);
});

test('a file of somebody else stays until --replace is given', async (t) => {
  const folder = await place(t);
  await mkdir(join(folder, hosts, '..'), { recursive: true });
  await writeFile(join(folder, hosts), 'server = "https://mine.example"\n');

  const refused = await runCli(folder, ...write);
  const replaced = await runCli(folder, ...write, '--replace');

  assert.equal(refused.exitCode, 78);
  assert.match(refused.stderr, /MIRROR_FILE_FOREIGN/);
  assert.equal(replaced.exitCode, 0, replaced.stderr);
  assert.match(replaced.stdout, /the old file stays as .*before-slipway/);
});

test('a root that is not there is an error, not a node without rules', async (t) => {
  const folder = await place(t);

  const { exitCode, stderr } = await runCli(
    folder,
    'mirrors',
    'write',
    '--site',
    'site.yaml',
    '--root',
    'nod',
  );

  assert.equal(exitCode, 64);
  assert.match(stderr, /^nod is no folder.*NODE_ROOT_MISSING/);
});

for (const inside of ['etc', 'etc/containerd', 'etc/containerd/certs.d/']) {
  test(`a root that is ${inside} of a node is refused with the root that was meant`, async (t) => {
    const folder = await place(t);
    await mkdir(join(folder, 'node', inside), { recursive: true });
    const command = ['mirrors', 'write', '--site', 'site.yaml', '--root'];

    const { exitCode, stderr } = await runCli(folder, ...command, `node/${inside}`);

    assert.equal(exitCode, 64);
    assert.match(stderr, /did you mean --root node\?.*NODE_ROOT_INSIDE/);
    assert.deepEqual(await readdir(join(folder, 'node', inside)), []);
  });
}

test('--json has every action, the warnings and the next command', async (t) => {
  const folder = await place(t);

  const { stdout } = await runCli(folder, ...write, '--json');

  const report = JSON.parse(stdout) as Record<string, unknown>;
  const keys = ['root', 'runtime', 'dryRun', 'actions', 'reloads', 'warnings', 'notes', 'next'];
  assert.deepEqual(Object.keys(report), keys);
});
