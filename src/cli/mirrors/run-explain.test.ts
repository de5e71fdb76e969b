import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { mirrorsExplainCommand } from '../commands/mirrors-explain.ts';

const closed =
  'server = "https://registry.example/v2/platform"\ncapabilities = ["pull", "resolve"]\noverride_path = true\n[host]\n';
const open =
  '[host."http://registry.example:5000"]\ncapabilities = ["pull", "resolve"]\nskip_verify = true\n';

/** A folder with host directories, alone. */
async function place(t: TestContext, hosts: string): Promise<string> {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'certs.d/registry.k8s.io'), { recursive: true });
  await writeFile(join(folder, 'certs.d/registry.k8s.io/hosts.toml'), hosts);
  return folder;
}

const explain = [
  'mirrors',
  'explain',
  'registry.k8s.io/pause:3.9',
  '--root',
  'certs.d',
  '--runtime',
];

test('mirrors explain says first where an image comes from, then each request with its line (R0-52)', async (t) => {
  const folder = await place(t, closed);

  const { exitCode, stdout } = await runCli(folder, ...explain, 'containerd@2.1.1');

  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^registry\.k8s\.io\/pause:3\.9 comes from registry\.example; registry\.k8s\.io itself is not asked\nnote: without --site every mirror counts as/,
  );
  assert.match(
    stdout,
    /\n {2}1 {2}HEAD https:\/\/registry\.example\/v2\/platform\/pause\/manifests\/3\.9\?ns=registry\.k8s\.io\n/,
  );
  assert.match(stdout, /set by +certs\.d\/registry\.k8s\.io\/hosts\.toml:1, in the place/);
  assert.match(
    stdout,
    /- {2}https:\/\/registry\.k8s\.io {2}not asked: registry\.example stands in the place/,
  );
});

test('without a version it says which versions behave otherwise, and only how', async (t) => {
  const folder = await place(t, open);

  const { stdout } = await runCli(folder, ...explain, 'containerd');

  assert.match(
    stdout,
    /would leave the site: registry\.example:5000 is asked first, then registry\.k8s\.io/,
  );
  assert.match(stdout, /\ncontainerd from 2\.3\.3:\n/);
  assert.match(
    stdout,
    /\ncontainerd 2\.1–2\.3\.1 differs:\n\n {2}1 {2}HEAD .*\n +else +the next one/,
  );
});

/** What explain says of a node's files together with an offline Site. */
async function explainAtSite(t: TestContext, files: Parameters<typeof place>[1]) {
  const folder = await place(t, files);
  await writeSampleLock(folder, sampleLock());
  await writeSite(
    folder,
    '{address: registry.example/platform}',
    '{management: {runtime: containerd@2.1.1}}',
  );

  return runCli(folder, ...explain.slice(0, -1), '--site', 'site.yaml');
}

test('a Site that is offline makes a way out the answer no', async (t) => {
  const { exitCode, stdout } = await explainAtSite(t, open);

  assert.equal(exitCode, 1);
  assert.match(stdout, /registry\.k8s\.io is not in the site/);
});

test('only a Site can say that nothing leaves it', async (t) => {
  const { exitCode, stdout } = await explainAtSite(t, closed);

  assert.equal(exitCode, 0);
  assert.match(stdout, /comes from registry\.example; nothing can leave the site\n/);
  assert.doesNotMatch(stdout, /without --site/);
});

test('--json has the whole explanation, the notes and the versions that differ', async (t) => {
  const folder = await place(t, closed);

  const { stdout } = await runCli(
    folder,
    ...explain,
    'containerd',
    '--answer',
    'registry.example=503',
    '--json',
  );

  const report = JSON.parse(stdout) as Record<string, unknown>;
  for (const key of [
    'answer',
    'requests',
    'skipped',
    'fetch',
    'assumed',
    'findings',
    'notes',
    'runtimes',
    'differs',
  ]) {
    assert.ok(key in report, key);
  }
});

test('a root that is not there and a runtime that nobody named are told', async (t) => {
  const folder = await place(t, closed);
  await mkdir(join(folder, 'etc'));

  const missing = await runCli(
    folder,
    'mirrors',
    'explain',
    'nginx',
    '--root',
    'nod',
    '--runtime',
    'containerd@2.1.1',
  );
  const node = await runCli(folder, 'mirrors', 'explain', 'nginx', '--root', '.');

  assert.match(missing.stderr, /NODE_ROOT_MISSING/);
  assert.match(node.stderr, /RUNTIME_UNDECIDED/);
});

test('files of configuration tell their runtime, and that is said', async (t) => {
  const folder = await place(t, closed);

  const { stdout } = await runCli(folder, ...explain.slice(0, -1));

  assert.match(stdout, /comes from registry\.example; registry\.k8s\.io itself is not asked/);
  assert.match(stdout, /\nnote: certs\.d is taken for what containerd reads/);
});

test('an --answer of a host that no version asks is refused', async (t) => {
  const folder = await place(t, open);

  const asked = await runCli(folder, ...explain, 'containerd', '--answer', 'registry.k8s.io=200');
  const typo = await runCli(folder, ...explain, 'containerd', '--answer', 'registry.k8s.oi=200');

  assert.equal(asked.exitCode, 0);
  assert.equal(typo.exitCode, 64);
  assert.match(typo.stderr, /did you mean\s+"registry\.k8s\.io"/);
});

test('the example of its own help reads a lone hosts.toml as the one of the image, under its own name', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'hosts.toml'), '[host."https://harbor.example"]\n');
  const [, example] = mirrorsExplainCommand.examples;
  const words = example?.run.split(' ').slice(1) ?? [];

  const { exitCode, stdout } = await runCli(folder, ...words);

  assert.equal(exitCode, 0);
  assert.match(stdout, /\n +503 +HEAD https:\/\/harbor\.example\/v2\/library\/nginx\//);
  assert.match(stdout, /set by +hosts\.toml:1\n/);
  assert.match(stdout, /\nnote: nothing says .* taken for the file\s+of docker\.io\n/);
});

test('a single file is named as the user gave it, whatever it is called on the node', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'daemon.json'), '{"registry-mirrors": ["https://m.example"]}\n');

  const run = ['mirrors', 'explain', 'nginx', '--root', './daemon.json'];
  const { stdout } = await runCli(folder, ...run);

  assert.match(stdout, /set by +\.\/daemon\.json:1\n/);
  assert.doesNotMatch(stdout, /\/etc\/docker\/daemon\.json:/);
});
