import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

/** A node that was set up for an offline Site. */
async function applied(t: TestContext, runtime: string): Promise<string> {
  const folder = await tempDir(t);
  await writeSampleLock(folder, sampleLock());
  await writeFile(join(folder, 'ca.pem'), (await serverCertificate()).ca);
  await mkdir(join(folder, 'node'));
  const main = '{address: registry.example:5000/platform, trust: {ca: ca.pem}}';
  await writeSite(folder, main, `{management: {runtime: ${runtime}}}`);
  const write = ['mirrors', 'write', '--site', 'site.yaml', '--root', 'node'];
  const { exitCode, stderr } = await runCli(folder, ...write);
  assert.equal(exitCode, 0, stderr);
  return folder;
}

const runtimes = [
  ...['containerd@1.7.34', 'containerd@2.3.4', 'k3s@v1.34.3+k3s1', 'rke2@v1.34.3+rke2r1'],
  ...['cri-o@1.35.2', 'docker@29.7.2', 'talos@1.13.9'],
];

for (const runtime of runtimes) {
  test(`what was just written for a Site is right for it: ${runtime}`, async (t) => {
    const folder = await applied(t, runtime);

    const { exitCode, stdout } = await runCli(
      folder,
      ...['mirrors', 'lint', '--root', 'node', '--site', 'site.yaml'],
    );

    assert.equal(exitCode, 0, stdout);
    assert.doesNotMatch(stdout, /error/);
  });
}

test('a registry that the Site allows may be asked last; others may not (C005)', async (t) => {
  const folder = await applied(t, 'containerd@2.3.4');
  const certs = join(folder, 'node/etc/containerd/certs.d');
  for (const name of ['quay.io', 'ghcr.io']) {
    await mkdir(join(certs, name));
    const mirror = '[host."https://registry.example:5000"]\ncapabilities = ["pull", "resolve"]\n';
    await writeFile(join(certs, name, 'hosts.toml'), `server = "https://${name}"\n${mirror}`);
  }
  await appendFile(join(folder, 'site.yaml'), '  allow: [quay.io]\n');
  const lint = ['mirrors', 'lint', '--root', 'node'];

  const bySite = await runCli(folder, ...lint, '--site', 'site.yaml');
  const alone = await runCli(folder, ...lint, '--offline', '--runtime', 'containerd@2.3.4');

  const found = (stdout: string) => stdout.match(/\S+(?=\/hosts\.toml\S* +error C005)/g);
  assert.deepEqual(found(bySite.stdout), ['node/etc/containerd/certs.d/ghcr.io']);
  // Nobody said what is allowed, and yet the site's own registry is asked after nothing else.
  assert.equal(found(alone.stdout)?.length, 2);
});
