import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { runReloads } from './run-reloads.ts';

const config = 'node/etc/containerd/config.toml';
const hosts = 'node/etc/containerd/certs.d/registry.k8s.io/hosts.toml';
const mine = 'version = 3\n# token = "t0psecretvalue"\n';

/** A folder with a Lock, a Site and a node whose main configuration somebody else wrote. */
async function place(t: TestContext): Promise<string> {
  const folder = await tempDir(t);
  await writeSampleLock(folder, sampleLock());
  await writeFile(join(folder, 'ca.pem'), (await serverCertificate()).ca);
  await mkdir(dirname(join(folder, config)), { recursive: true });
  await writeFile(join(folder, config), mine);
  const main = '{address: registry.example/platform, trust: {ca: ca.pem}}';
  await writeSite(folder, main, '{management: {runtime: containerd@2.1.1}}');
  return folder;
}

const node = ['--root', 'node'];
const site = ['--site', 'site.yaml', ...node];
const apply = ['mirrors', 'apply', ...site, '--replace'];

test('mirrors diff shows every file that would change and none of its secrets, and changes nothing', async (t) => {
  const folder = await place(t);
  const before = await nodeFingerprint(join(folder, 'node'), true);

  const { exitCode, stdout } = await runCli(folder, 'mirrors', 'diff', ...site);

  assert.equal(exitCode, 1);
  assert.match(stdout, /^the rules of containerd@2\.1\.1 below node would change in \d+ files\n/);
  assert.match(
    stdout,
    /\n--- \/dev\/null\n\+\+\+ \/etc\/containerd\/certs\.d\/registry\.k8s\.io\/hosts\.toml\n@@ -0,0 \+1,\d+ @@\n\+/,
  );
  assert.match(
    stdout,
    /\n--- \/etc\/containerd\/config\.toml\n\+\+\+ \/etc\/containerd\/config\.toml\n@@ /,
  );
  assert.match(stdout, /\non the node, afterwards: systemctl restart containerd/);
  assert.match(stdout, /\nnext: slipway mirrors apply --lock .* --replace\n$/);
  assert.doesNotMatch(stdout, /t0psecret/);
  assert.deepEqual(await nodeFingerprint(join(folder, 'node'), true), before);
});

test('mirrors diff after apply has nothing to show and the exit code of yes', async (t) => {
  const folder = await place(t);
  await runCli(folder, ...apply);

  const { exitCode, stdout } = await runCli(folder, 'mirrors', 'diff', ...site);

  assert.equal(exitCode, 0);
  assert.match(stdout, /are as they should be/);
  assert.doesNotMatch(stdout, /^(?:---|next)/m);
});

test('mirrors diff shows what goes, and what stays because it is not ours', async (t) => {
  const folder = await place(t);
  await runCli(
    folder,
    'mirrors',
    'add',
    'quay.io',
    '--to',
    'm.example',
    '--runtime',
    'containerd@2.1.1',
    ...node,
    '--replace',
  );
  await mkdir(dirname(join(folder, 'node/etc/containerd/certs.d/x.example/h')), {
    recursive: true,
  });
  await writeFile(join(folder, 'node/etc/containerd/certs.d/x.example/hosts.toml'), '# mine\n');

  const { stdout } = await runCli(folder, 'mirrors', 'diff', ...site);

  assert.match(stdout, /\n--- .*quay\.io\/hosts\.toml\n\+\+\+ \/dev\/null\n/);
  assert.match(stdout, /\n {2}keep +.*x\.example\/hosts\.toml +somebody else wrote it/);
});

test('mirrors apply sets a node up; --undo takes it back to the last byte', async (t) => {
  const folder = await place(t);
  const before = await nodeFingerprint(join(folder, 'node'), true);

  const applied = await runCli(folder, ...apply);
  assert.match(await readFile(join(folder, hosts), 'utf8'), /registry\.example/);
  const undone = await runCli(folder, 'mirrors', 'apply', '--undo', ...node);

  assert.equal(applied.exitCode, 0, applied.stderr);
  assert.match(applied.stdout, /in place and read back/);
  assert.match(applied.stdout, /\non the node, now: systemctl restart containerd/);
  assert.equal(undone.exitCode, 0, undone.stderr);
  assert.match(undone.stdout, /^the last change below node is taken back: \d+ files\n/);
  assert.match(undone.stdout, /\n {2}restored {2}\/etc\/containerd\/config\.toml\n/);
  assert.match(undone.stdout, /\non the node, now: systemctl restart containerd/);
  assert.doesNotMatch(undone.stdout, /var\/lib\/slipway/);
  assert.deepEqual(await nodeFingerprint(join(folder, 'node'), true), before);
});

test('--undo refuses by name what somebody edited, and a second one has nothing to do', async (t) => {
  const folder = await place(t);
  await runCli(folder, ...apply);
  const text = await readFile(join(folder, hosts), 'utf8');
  await appendFile(join(folder, hosts), '# mine\n');

  const refused = await runCli(folder, 'mirrors', 'apply', '--undo', ...node);
  await writeFile(join(folder, hosts), text);
  await runCli(folder, 'mirrors', 'apply', '--undo', ...node);
  const again = await runCli(folder, 'mirrors', 'apply', '--undo', ...node);

  assert.equal(refused.exitCode, 78);
  assert.match(
    refused.stderr,
    /registry\.k8s\.io\/hosts\.toml since Slipway did.*MIRROR_EDITED_SINCE/,
  );
  assert.equal(again.exitCode, 64);
  assert.match(again.stderr, /MIRROR_NOTHING_TO_UNDO/);
});

test('--undo --replace takes back what somebody edited too, and says where the edited text is kept', async (t) => {
  const folder = await place(t);
  await runCli(folder, ...apply);
  await appendFile(join(folder, hosts), '# mine\n');

  const { exitCode, stdout } = await runCli(
    folder,
    'mirrors',
    'apply',
    '--undo',
    '--replace',
    ...node,
  );

  assert.equal(exitCode, 0);
  const copy = /\n {2}removed {2,}\/etc\/.*registry\.k8s\.io\/hosts\.toml +.* kept in (\S+)/.exec(
    stdout,
  )?.[1];
  assert.match(await readFile(join(folder, 'node', copy ?? ''), 'utf8'), /\n# mine\n$/);
  assert.equal(await readFile(join(folder, config), 'utf8'), mine);
});

test('apply needs a Site, and --reload is for this machine only', async (t) => {
  const folder = await place(t);

  const nothing = await runCli(folder, 'mirrors', 'apply', ...node);
  const elsewhere = await runCli(folder, ...apply, '--reload');

  assert.match(nothing.stderr, /needs --site .*OPTION_MISSING/);
  assert.match(elsewhere.stderr, /--root \/ only.*OPTION_VALUE_INVALID/);
});

test('a reload that fails says why, and which command it was', async () => {
  const { signal } = new AbortController();
  const reload = (command: string) => ({ command, because: '' });

  assert.deepEqual(await runReloads([reload('true')], signal), ['true']);
  await assert.rejects(runReloads([reload('echo no such unit >&2; exit 5')], signal), {
    code: 'MIRROR_RELOAD_FAILED',
    message: /echo no such unit >&2; exit 5 failed: no such unit$/,
  });
});
