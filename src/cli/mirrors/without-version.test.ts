/** What lint and explain say where nobody named a version. */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSite } from '../../../test/support/sample-files.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const mirror = '[host."https://m.example"]\n  capabilities = ["pull", "resolve"]\n';
const good = `server = "https://registry-1.docker.io"\n\n${mirror}`;

const lint = ['mirrors', 'lint'];

/** A folder with these files. */
async function folderWith(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await tempDir(t);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test('a finding names every release that it holds for, of all lines (K008)', async (t) => {
  const folder = await folderWith(t, {
    'k3s/registries.yaml': 'mirrors:\n  docker.io:\n    endpoint: ["https://m.example"]\n',
    'k3s/config.yaml': 'disable-default-registry-endpoint: true\n',
  });

  const { stdout } = await runCli(folder, ...lint, 'k3s', '--offline');

  assert.match(
    stdout,
    /error K008\n[^\n]*\n(?: .*\n)* {2}only {2}k3s before v1\.26\.13, v1\.27 before v1\.27\.10, v1\.28 before v1\.28\.6, v1\.29\.0\n/,
  );
});

test('what is wrong on early releases alone is a note, and an error where one of them is named', async (t) => {
  const folder = await folderWith(t, { 'certs.d/_default/hosts.toml': mirror });

  const all = await runCli(folder, ...lint, 'certs.d/_default');
  const early = await runCli(
    folder,
    ...[...lint, 'certs.d/_default', '--runtime', 'containerd@1.6.16'],
  );

  assert.equal(all.exitCode, 0);
  assert.match(all.stdout, /info C015\n[^\n]*\n(?: .*\n)* {2}only {2}containerd before 1\.6\.17\n/);
  assert.equal(early.exitCode, 1);
  assert.match(early.stdout, /error C015/);
});

test('what holds for some versions says for which, and a version that is named stands alone', async (t) => {
  const folder = await folderWith(t, { 'reg.example/hosts.toml': good.replace(mirror, '') });

  const all = await runCli(folder, ...lint, 'reg.example');
  const old = await runCli(folder, ...lint, 'reg.example', '--runtime', 'containerd@1.7.20');
  const fresh = await runCli(folder, ...lint, 'reg.example', '--runtime', 'containerd@2.1.1');

  assert.match(
    all.stdout,
    /error C021\n[^\n]*\n(?: .*\n)* {2}only {2}containerd before 1\.7\.32\n/,
  );
  assert.match(old.stdout, /error C021/);
  assert.doesNotMatch(old.stdout, /only/);
  assert.doesNotMatch(fresh.stdout, /C021/);
});

test('an explanation that only early releases refuse is no answer no', async (t) => {
  const closed = 'server = "https://m.example"\ncapabilities = ["pull", "resolve"]\n[host]\n';
  const folder = await folderWith(t, { 'certs.d/_default/hosts.toml': closed });
  await writeSite(folder, '{address: m.example}');
  const explain = ['mirrors', 'explain', 'quay.io/a/b:1', '--root', 'certs.d'];

  const all = await runCli(folder, ...explain, '--site', 'site.yaml', '--runtime', 'containerd');
  const early = await runCli(
    folder,
    ...[...explain, '--site', 'site.yaml', '--runtime', 'containerd@1.6.16'],
  );

  assert.equal(all.exitCode, 0);
  assert.match(all.stdout, /\ncontainerd before 1\.6\.17 differs:\n/);
  assert.equal(early.exitCode, 1);
});

test('--json of an explanation says in words which releases do the same', async (t) => {
  const folder = await folderWith(t, { 'certs.d/quay.io/hosts.toml': mirror });
  const explain = ['mirrors', 'explain', 'quay.io/a/b:1', '--root', 'certs.d', '--json'];

  const { stdout } = await runCli(folder, ...explain, '--runtime', 'containerd');

  const report = JSON.parse(stdout) as { releases: string; differs: { releases: string }[] };
  assert.equal(report.releases, 'containerd from 2.3.3');
  assert.equal(report.differs.at(-1)?.releases, 'containerd before 2.0.13');
});
