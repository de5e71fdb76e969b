import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSite } from '../../../test/support/sample-files.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const server = 'server = "https://docker.io"\n';
const mirror = '[host."https://m.example"]\n  capabilities = ["pull", "resolve"]\n';
const good = `server = "https://registry-1.docker.io"\n\n${mirror}`;

/** A folder with these files. */
async function folderWith(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = await tempDir(t);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** Each version costs time, so only tests about versions look at more than one. */
const lint = ['mirrors', 'lint', '--runtime', 'containerd@2.1.1'];
const lintAll = ['mirrors', 'lint'];

test('a wrong file is answered first, then shown with line, mark and remedy', async (t) => {
  const folder = await folderWith(t, { 'certs.d/docker.io/hosts.toml': server + mirror });

  const { exitCode, stdout } = await runCli(folder, ...lint, 'certs.d/docker.io/hosts.toml');

  const lines = stdout.split('\n');
  assert.equal(exitCode, 1);
  assert.equal(lines[0], '1 file, 1 error');
  assert.equal(lines[2], 'certs.d/docker.io/hosts.toml:1:1  error C004');
  assert.match(lines[4] ?? '', /^ {4}1 \| server = "https:\/\/docker\.io"$/);
  assert.match(lines[5] ?? '', /^ {6}\| \^+$/);
  assert.match(lines[6] ?? '', /^ {2}do {4}Online, write /);
});

test('a right file has nothing wrong, and the exit code says so', async (t) => {
  const folder = await folderWith(t, { 'docker.io/hosts.toml': good });

  const { exitCode, stdout } = await runCli(folder, ...lint, 'docker.io/hosts.toml');

  assert.deepEqual([exitCode, stdout], [0, '1 file, nothing wrong\n']);
});

test('a folder is searched: wrong names, and folders without a hosts.toml', async (t) => {
  const folder = await folderWith(t, {
    'certs.d/quay.io/hosts.yaml': good,
    'certs.d/docker.io/hosts.toml': good,
    'certs.d/ghcr.io/readme': '',
  });

  const { stdout } = await runCli(folder, ...lint, 'certs.d');

  assert.match(
    stdout,
    /^2 files, \d errors.*: pulls of ghcr\.io and quay\.io go past the mirrors\n/,
  );
  assert.match(stdout, /^certs\.d\/quay\.io\/hosts\.yaml +error C001$/m);
  assert.match(stdout, /^certs\.d\/ghcr\.io +error C016$/m);
});

test('a registry that is asked last is an error only where nothing may leave the site', async (t) => {
  const folder = await folderWith(t, { 'quay.io/hosts.toml': mirror });
  await writeSite(
    folder,
    '{address: registry.example}',
    '{management: {runtime: containerd@2.1.1}}',
  );

  const online = await runCli(folder, ...lint, 'quay.io');
  const offline = await runCli(folder, ...lint, 'quay.io', '--offline');
  const bySite = await runCli(folder, ...lintAll, 'quay.io', '--site', 'site.yaml');

  assert.match(online.stdout, /(?:warn|info) C005/);
  assert.equal(online.exitCode, 0);
  for (const { exitCode, stdout } of [offline, bySite]) {
    assert.match(stdout, /^1 file, 1 error: pulls of quay\.io leave the site\n/);
    assert.equal(exitCode, 1);
  }
});

test('a registry that the Site says speaks plain HTTP is an error behind https:// (C035)', async (t) => {
  const secure =
    'server = "https://registry.example:5000"\ncapabilities = ["pull", "resolve"]\n[host]\n';
  const folder = await folderWith(t, { 'quay.io/hosts.toml': secure });
  await writeSite(folder, '{address: registry.example:5000, plainHttp: true}');

  const { stdout } = await runCli(folder, ...lint, 'quay.io/hosts.toml', '--site', 'site.yaml');

  assert.match(stdout, /^quay\.io\/hosts\.toml:1:1 +error C035$/m);
});

test('the headline names the registry of the rules, not the host of the mirror in whose folder they fail', async (t) => {
  const folder = await folderWith(t, {
    'node/etc/docker/daemon.json': '{"registry-mirrors": ["https://m.example"]}',
    'node/etc/docker/certs.d/m.example/client.cert': 'no key beside it',
  });

  const { stdout } = await runCli(
    folder,
    ...[...lintAll, '--root', 'node', '--runtime', 'docker@27.0.0'],
  );

  assert.match(stdout, /^1 file, 2 errors: pulls of docker\.io and m\.example fail\n/);
});

test('a certificate elsewhere on the node is taken for present, and the answer says so', async (t) => {
  const ca = 'ca = "/etc/ssl/site.pem"\n';
  const folder = await folderWith(t, {
    'quay.io/hosts.toml': good.replace('docker.io', 'quay.io').replace(mirror, mirror + ca),
    'ghcr.io/hosts.toml': good.replace(mirror, `${mirror}ca = "site.pem"\n`),
  });

  const { stdout } = await runCli(folder, ...lint, 'quay.io', 'ghcr.io');

  assert.match(stdout, /note: \/etc\/ssl\/site\.pem must be on the node/);
  assert.doesNotMatch(stdout, /quay\.io\/hosts\.toml:\d+.*C010/);
  assert.match(stdout, /ghcr\.io\/hosts\.toml:\d+.*error C010/);
});

test('a whole node is linted with its main configuration and what its files name', async (t) => {
  const folder = await folderWith(t, {
    'node/etc/containerd/config.toml': 'version = 2\n',
    'node/etc/containerd/certs.d/docker.io/hosts.toml': `${good}ca = "/etc/ssl/site.pem"\n`,
  });

  const { exitCode, stdout } = await runCli(
    folder,
    ...[...lint, '--root', 'node', '--runtime', 'containerd@1.7.20'],
  );

  assert.equal(exitCode, 1);
  assert.match(stdout, /^node\/etc\/containerd\/config\.toml\S* +error C018$/m);
});

test('a node without a main configuration reads no rules before 2.2, and that is said', async (t) => {
  const folder = await folderWith(t, {
    'node/etc/containerd/certs.d/docker.io/hosts.toml': good,
  });
  const node = [...lintAll, '--root', 'node', '--runtime'];

  const old = await runCli(folder, ...node, 'containerd@1.7.20');
  const fresh = await runCli(folder, ...node, 'containerd@2.2.7');

  assert.match(old.stdout, /error C018\n {2}config_path is empty/);
  assert.doesNotMatch(fresh.stdout, /config_path is empty/);
});

test('--json has the answer, each finding with its place, and the next command', async (t) => {
  const folder = await folderWith(t, { 'docker.io/hosts.toml': server + mirror });

  const { stdout } = await runCli(folder, ...lint, 'docker.io', '--json');

  // Its shape is what this test is about.
  const report = JSON.parse(stdout) as Record<string, unknown> & { findings: object[] };
  assert.deepEqual(Object.keys(report).slice(0, 5), [
    ...['answer', 'mode', 'files', 'counts', 'findings'],
  ]);
  assert.deepEqual(report['files'], [{ file: 'docker.io/hosts.toml', runtime: 'containerd' }]);
  assert.partialDeepStrictEqual(report.findings[0], {
    ...{ rule: 'C004', level: 'error', file: 'docker.io/hosts.toml', line: 1, column: 1 },
    ...{ runtime: 'containerd', source: 'server = "https://docker.io"' },
    explained: 'docs/reference/mirror-rules.md#c004',
  });
});

test('--format sarif prints one SARIF log, with --json too', async (t) => {
  const folder = await folderWith(t, { 'docker.io/hosts.toml': server + mirror });

  const plain = await runCli(folder, ...lint, 'docker.io', '--format', 'sarif');
  const json = await runCli(folder, ...lint, 'docker.io', '--format', 'sarif', '--json');

  assert.equal(plain.exitCode, 1);
  assert.equal(plain.stdout, json.stdout);
  assert.partialDeepStrictEqual(JSON.parse(plain.stdout), { version: '2.1.0' });
});

test('--dry-run shows the difference and changes nothing; --fix makes it and keeps the old file', async (t) => {
  const wrong = server + mirror;
  const folder = await folderWith(t, { 'docker.io/hosts.yaml': wrong });
  const dry = await runCli(folder, ...lint, 'docker.io', '--fix', '--dry-run');
  const untouched = await readdir(join(folder, 'docker.io'));

  const fixed = await runCli(folder, ...lint, 'docker.io', '--fix');
  const again = await runCli(folder, ...lint, 'docker.io', '--fix');

  assert.deepEqual([dry.exitCode, untouched], [1, ['hosts.yaml']]);
  assert.match(
    dry.stdout,
    /\n-server = "https:\/\/docker\.io"\n\+server = "https:\/\/registry-1\.docker\.io"\n/,
  );
  assert.match(
    dry.stdout,
    /\nnext: slipway mirrors lint docker\.io --runtime containerd@2\.1\.1 --fix\n$/,
  );
  assert.deepEqual(await readdir(join(folder, 'docker.io')), [
    'hosts.toml',
    'hosts.yaml.before-slipway',
  ]);
  assert.match(
    await readFile(join(folder, 'docker.io/hosts.toml'), 'utf8'),
    /registry-1\.docker\.io/,
  );
  assert.equal(await readFile(join(folder, 'docker.io/hosts.yaml.before-slipway'), 'utf8'), wrong);
  assert.equal(fixed.exitCode, 0);
  assert.match(fixed.stdout, /^1 file, nothing wrong\n\n\d findings mended:\n/);
  assert.match(again.stdout, /^1 file, nothing wrong\n/);
});

test('a change that a running runtime does not see says what to do on the node (R0-31)', async (t) => {
  const folder = await folderWith(t, {
    'daemon.json': '{"registry-mirrors": ["m.example:5000"]}\n',
  });

  const dry = await runCli(folder, ...lintAll, 'daemon.json', '--dry-run');
  const fixed = await runCli(folder, ...lintAll, 'daemon.json', '--fix');

  assert.match(dry.stdout, /^1 file, 1 error: nothing can be pulled\n/);
  assert.match(dry.stdout, /\non the node, afterwards: systemctl \w+ docker {3}\(/);
  assert.match(fixed.stdout, /^1 file, nothing wrong\n/);
  assert.match(fixed.stdout, /\non the node, now: systemctl \w+ docker {3}\(/);
});

test('the image names of a manifest and of a list are linted and mended', async (t) => {
  const folder = await folderWith(t, {
    'pod.yaml':
      'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - image: ghcr.io/OWNER/app:1\n',
    'images.txt': 'docker://quay.io/a/b:1\n',
  });

  const found = await runCli(folder, ...lintAll, '.');
  const fixed = await runCli(folder, ...lintAll, '.', '--fix');

  assert.match(found.stdout, /^2 files, 2 errors\n/);
  assert.match(found.stdout, /^pod\.yaml:5:14 {2}error N001$/m);
  assert.match(found.stdout, /^images\.txt:1:1 {2}error N001$/m);
  assert.equal(fixed.exitCode, 0);
  assert.match(
    await readFile(join(folder, 'pod.yaml'), 'utf8'),
    /image: ghcr\.io\/owner\/app:1\n$/,
  );
});

test('--quiet leaves the notes and the next command out', async (t) => {
  const ca = 'ca = "/etc/ssl/site.pem"\n';
  const folder = await folderWith(t, { 'docker.io/hosts.toml': server + mirror + ca });

  const loud = await runCli(folder, ...lint, 'docker.io');
  const quiet = await runCli(folder, ...lint, 'docker.io', '--quiet');

  assert.match(loud.stdout, /\nnote: .*\nnext: /);
  assert.doesNotMatch(quiet.stdout, /note: |next: /);
  assert.match(quiet.stdout, /^1 file, .*\n\ndocker\.io\/hosts\.toml:1:1 {2}error C004\n/);
});

test('no login of a file is printed in any form', async (t) => {
  const header = '[host."https://m.example".header]\n  Authorization = "hunter2"\n';
  const folder = await folderWith(t, { 'docker.io/hosts.toml': good + header });

  for (const more of [[], ['--json'], ['--format', 'sarif'], ['--dry-run']]) {
    const { stdout, stderr } = await runCli(folder, ...lint, 'docker.io', ...more);

    assert.match(stdout, /C026/);
    assert.doesNotMatch(stdout + stderr, /hunter2/, more.join(' '));
  }
});

test('a link in place of a file is read, and not written through', async (t) => {
  const folder = await folderWith(t, { 'other.toml': server + mirror, 'docker.io/x.pem': '' });
  await symlink('../other.toml', join(folder, 'docker.io/hosts.toml'));

  const { exitCode, stdout } = await runCli(folder, ...lint, 'docker.io/hosts.toml', '--fix');

  assert.equal(exitCode, 1);
  assert.match(stdout, /^nothing was changed/m);
  assert.match(stdout, /left +docker\.io\/hosts\.toml {2}\(is a link to \.\.\/other\.toml;/);
  assert.equal(await readFile(join(folder, 'other.toml'), 'utf8'), server + mirror);
});

const refused: ReadonlyArray<
  readonly [what: string, args: readonly string[], code: RegExp, exit: number]
> = [
  ['nothing is named', [], /PATH or --root DIR.*ARGUMENT_MISSING/, 64],
  ['a path is not there', ['gone'], /gone cannot be read.*DOCUMENT_UNREADABLE/, 74],
  ['no file is of a runtime', ['notes'], /nothing to check in notes.*MIRROR_LINT_UNRECOGNISED/, 64],
  ['a node has no runtime', ['--root', '.'], /MIRROR_LINT_UNRECOGNISED/, 64],
  [
    'the runtime reads no such file',
    ['hosts.toml', '--runtime', 'containerd@0.9.0'],
    /MIRROR_RUNTIME_UNKNOWN/,
    64,
  ],
];

for (const [what, args, code, exit] of refused) {
  test(`refused with a reason: ${what}`, async (t) => {
    const folder = await folderWith(t, { notes: 'some words here\n', 'hosts.toml': good });

    const { exitCode, stderr } = await runCli(folder, ...lintAll, ...args);

    assert.match(stderr, code);
    assert.equal(exitCode, exit);
  });
}
