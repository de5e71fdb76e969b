import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

/** A folder whose node with Talos has been set up once. */
async function applied(t: TestContext) {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'node'));
  await writeSampleLock(folder, sampleLock());
  await writeFile(join(folder, 'ca.pem'), (await serverCertificate()).ca);
  const main = '{address: registry.example/platform, trust: {ca: ca.pem}}';
  await writeSite(folder, main, '{management: {runtime: talos@1.12.3}}');
  const run = await runCli(folder, 'mirrors', 'apply', '--site', 'site.yaml', '--root', 'node');
  assert.equal(run.exitCode, 0, run.stderr);
  return { folder, stdout: run.stdout };
}

test('a patch that is there is sent; for one that is taken back a person edits the node', async (t) => {
  const { folder, stdout } = await applied(t);

  const undone = await runCli(folder, 'mirrors', 'apply', '--undo', '--root', 'node');

  assert.match(stdout, /talosctl patch machineconfig .*@slipway-registries\.yaml/);
  assert.equal(undone.exitCode, 0, undone.stderr);
  assert.doesNotMatch(undone.stdout, /--patch/);
  assert.match(undone.stdout, /talosctl edit machineconfig --nodes NODE/);
  assert.match(
    undone.stdout,
    /Talos keeps the mirrors, trust and logins until a person takes them out/,
  );
});

test('switching the rules off says the same of a patch that it removes', async (t) => {
  const { folder } = await applied(t);

  const off = await runCli(folder, 'mirrors', 'remove', '--all', '--root', 'node');

  assert.equal(off.exitCode, 0, off.stderr);
  assert.doesNotMatch(off.stdout, /--patch/);
  assert.match(off.stdout, /talosctl edit machineconfig --nodes NODE/);
});
