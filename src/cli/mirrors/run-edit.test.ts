import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { nodeFingerprint } from '../../../test/support/node-fingerprint.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { serverCertificate } from '../../../test/support/server-certificate.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const certs = 'etc/containerd/certs.d';
const node = ['--root', 'node'];
const runtime = ['--runtime', 'containerd@2.1.1'];

/** A folder with a node that has these files. */
async function place(t: TestContext, files: Record<string, string> = {}): Promise<string> {
  const folder = await tempDir(t);
  await mkdir(join(folder, 'node'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'node', path)), { recursive: true });
    await writeFile(join(folder, 'node', path), text);
  }
  return folder;
}

const add = (folder: string, ...words: string[]) =>
  runCli(folder, 'mirrors', 'add', ...words, ...node);
const remove = (folder: string, ...words: string[]) =>
  runCli(folder, 'mirrors', 'remove', ...words, ...node);
const hostsOf = (folder: string, registry: string) =>
  readFile(join(folder, 'node', certs, registry, 'hosts.toml'), 'utf8');

test('a registry is added, and the registry itself is asked no more (R0-52)', async (t) => {
  const folder = await place(t);
  await writeFile(join(folder, 'ca.pem'), (await serverCertificate()).ca);

  const { exitCode, stdout, stderr } = await add(
    folder,
    'docker.io',
    '--to',
    'h.example:5000/hub',
    '--ca',
    'ca.pem',
    ...runtime,
  );

  assert.equal(exitCode, 0, stderr);
  assert.match(
    stdout,
    /next: slipway mirrors explain docker\.io\/name:tag --root node --runtime containerd@2\.1\.1\n$/,
  );
  const text = await hostsOf(folder, 'docker.io');
  assert.match(text, /server = "https:\/\/h\.example:5000\/v2\/hub"/);
  assert.match(text, /slipway-h\.example-5000\.pem/);
});

test('rules that are there stay when one is added, changed or removed', async (t) => {
  const folder = await place(t);
  await add(folder, 'docker.io', '--to', 'a.example', ...runtime);
  const first = await hostsOf(folder, 'docker.io');

  await add(folder, 'quay.io', '--to', 'b.example', '--to', 'http://c.example:5000');
  const added = await hostsOf(folder, 'quay.io');
  await add(folder, 'quay.io', '--to', 'd.example', '--fallback');
  const changed = await hostsOf(folder, 'quay.io');
  const { exitCode } = await remove(folder, 'quay.io');

  assert.equal(exitCode, 0);
  assert.match(added, /\[host\."https:\/\/b\.example"\]/);
  assert.match(changed, /server = "https:\/\/quay\.io"\n[\s\S]*d\.example/);
  await assert.rejects(stat(join(folder, 'node', certs, 'quay.io')));
  assert.equal(await hostsOf(folder, 'docker.io'), first);
});

for (const [name, files] of [
  ['an empty node', {}],
  [
    'a main configuration of somebody else',
    { 'etc/containerd/config.toml': 'version = 3\n# mine' },
  ],
] as const) {
  for (const words of [['--all'], ['docker.io', 'quay.io']]) {
    test(`mirrors remove ${words.join(' ')} leaves ${name} as it was, byte for byte (R0-106, R0-112)`, async (t) => {
      const folder = await place(t, files);
      const before = await nodeFingerprint(join(folder, 'node'));
      await add(folder, 'docker.io', '--to', 'a.example', ...runtime, '--replace');
      await add(folder, 'quay.io', '--to', 'a.example');

      const { exitCode, stdout } = await remove(folder, ...words);

      assert.equal(exitCode, 0);
      assert.match(stdout, /^no rule of Slipway is left below node: \d files changed\n/);
      assert.deepEqual(await nodeFingerprint(join(folder, 'node')), before);
    });
  }
}

test('a rule whose file somebody edited is not forgotten: it is refused, or goes with --replace', async (t) => {
  const folder = await place(t);
  await add(folder, 'quay.io', '--to', 'a.example', ...runtime);
  await add(folder, 'docker.io', '--to', 'a.example');
  const file = join(folder, 'node', certs, 'quay.io/hosts.toml');
  await appendFile(file, '# hand\n');
  const before = await nodeFingerprint(join(folder, 'node'), true);

  const refused = await remove(folder, 'quay.io');
  const after = await nodeFingerprint(join(folder, 'node'), true);
  const replaced = await remove(folder, 'quay.io', '--replace');

  assert.equal(refused.exitCode, 78);
  assert.match(refused.stderr, /quay\.io\/hosts\.toml since.*MIRROR_FILE_FOREIGN/);
  assert.deepEqual(after, before);
  assert.equal(replaced.exitCode, 0, replaced.stderr);
  await assert.rejects(stat(file));
  assert.match(await readFile(`${file}.before-slipway`, 'utf8'), /# hand\n$/);
});

test('rules of a Site stay when one is added to them, with the sandbox image', async (t) => {
  const folder = await place(t);
  await writeSampleLock(folder, { ...sampleLock(), lock: { ...sampleLock().lock } });
  await writeSite(
    folder,
    '{address: registry.example/platform}',
    '{management: {runtime: containerd@2.1.1}}',
  );
  await runCli(folder, 'mirrors', 'apply', '--site', 'site.yaml', ...node);
  const before = await nodeFingerprint(join(folder, 'node'));

  await add(folder, 'quay.io', '--to', 'a.example');
  const after = await nodeFingerprint(join(folder, 'node'));

  assert.deepEqual(
    before.filter((line) => !after.includes(line)),
    [],
  );
  assert.deepEqual(
    after.filter((line) => !before.includes(line)).map((line) => line.split(' ')[0]),
    [`${certs}/quay.io`, `${certs}/quay.io/hosts.toml`],
  );
});

test('a dry run shows the change and makes none', async (t) => {
  const folder = await place(t);

  const { stdout } = await add(folder, 'docker.io', '--to', 'a.example', ...runtime, '--dry-run');

  assert.match(stdout, /nothing was written yet/);
  assert.match(stdout, /\n\+\+\+ .*docker\.io\/hosts\.toml\n@@ -0,0 \+1,\d+ @@\n\+/);
  assert.deepEqual(await nodeFingerprint(join(folder, 'node'), true), []);
});

const wrong: ReadonlyArray<readonly [words: readonly string[], code: string]> = [
  [['add', 'docker.io', '--to', 'A.example', ...runtime], 'MIRROR_TARGET_INVALID'],
  [['add', 'https://docker.io', '--to', 'a.example', ...runtime], 'MIRROR_TARGET_INVALID'],
  [['add', 'docker.io', '--to', 'a.example'], 'RUNTIME_UNDECIDED'],
  [
    ['add', 'docker.io/library', '--to', 'a.example', ...runtime],
    'MIRROR_RULE_NOT_WRITABLE|MIRROR_READBACK_FAILED',
  ],
  [['remove', 'docker.io', ...runtime], 'MIRROR_RULE_ABSENT'],
  [['remove', ...runtime], 'OPTION_MISSING'],
  [['remove', '--all', ...runtime, '--reload'], 'OPTION_VALUE_INVALID'],
  [['remove', 'docker.io', '--all', ...runtime], 'OPTIONS_CONTRADICT.*exit 64'],
];

for (const [words, code] of wrong) {
  test(`mirrors ${words.join(' ')} ends with ${code}`, async (t) => {
    const folder = await place(t);

    const { exitCode, stderr } = await runCli(folder, 'mirrors', ...words, ...node);

    assert.notEqual(exitCode, 0);
    assert.match(stderr, new RegExp(code, 's'));
    assert.deepEqual(await nodeFingerprint(join(folder, 'node'), true), []);
  });
}

for (const name of ['index.docker.io', 'registry-1.docker.io', 'DOCKER.io', 'https://docker.io/']) {
  test(`mirrors add ${name} is refused at once with the name that images have`, async (t) => {
    const folder = await place(t);

    const { exitCode, stderr } = await add(folder, name, '--to', 'a.example', ...runtime);

    assert.equal(exitCode, 64);
    assert.match(stderr, /; did you mean docker\.io\?.*MIRROR_TARGET_INVALID/);
    assert.deepEqual(await nodeFingerprint(join(folder, 'node'), true), []);
  });
}

test('mirrors remove names the rule that a mistyped one is near to', async (t) => {
  const folder = await place(t);
  await add(folder, 'docker.io', '--to', 'a.example', ...runtime);
  await add(folder, 'quay.io', '--to', 'a.example');

  const typo = await remove(folder, 'quai.io');
  const hub = await remove(folder, 'index.docker.io');

  assert.match(typo.stderr, /rules for docker\.io, quay\.io; did you mean quay\.io\?.*RULE_ABSENT/);
  assert.match(hub.stderr, /did you mean docker\.io\?/);
});

for (const version of ['k3s@v1.30.2+k3s1', 'rke2@v1.30.2+rke2r1', 'talos@1.9.0']) {
  test(`${version}: a password stands in the runtime's own file only, and is taken back from there`, async (t) => {
    const folder = await place(t);
    await writeFile(join(folder, 'login'), 'username=puller\npassword=hunter2\n', { mode: 0o600 });
    const login = ['--login', 'login', '--runtime', version];
    await add(folder, 'quay.io', '--to', 'm.example', ...login);

    const added = await add(folder, 'ghcr.io', '--to', 'a.example');
    const shown = await add(folder, 'ghcr.io', '--to', 'b.example', '--dry-run', '--json');
    const holders = await filesWith(join(folder, 'node'), 'hunter2');

    assert.equal(added.exitCode, 0, added.stderr);
    assert.doesNotMatch(`${added.stdout}${shown.stdout}`, /hunter2/);
    assert.ok(holders.length > 0);
    for (const file of holders) {
      assert.doesNotMatch(file, /rules\.json|last-change/);
      assert.equal((await stat(file)).mode & 0o077, 0, file);
    }
  });
}

test('a rule whose login is gone is named with the command that gives it again', async (t) => {
  const folder = await place(t);
  await writeFile(join(folder, 'login'), 'username=puller\npassword=hunter2\n', { mode: 0o600 });
  await add(
    folder,
    'quay.io',
    '--to',
    'm.example',
    '--login',
    'login',
    '--runtime',
    'k3s@v1.30.2+k3s1',
  );
  for (const file of await filesWith(join(folder, 'node'), 'hunter2')) await rm(file);

  const refused = await add(folder, 'ghcr.io', '--to', 'a.example');
  const removed = await remove(folder, 'quay.io');

  assert.equal(refused.exitCode, 78);
  assert.match(refused.stderr, /quay\.io logs in to m\.example as puller.*MIRROR_LOGIN_FORGOTTEN/);
  assert.equal(removed.exitCode, 0, removed.stderr);
});

/** The files below a folder that have a text in them. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    if ((await readFile(file, 'utf8')).includes(text)) found.push(file);
  }
  return found;
}

test('what is good to know of a version is a note, no warning', async (t) => {
  const folder = await place(t);

  const { stdout } = await add(folder, 'quay.io', '--to', 'a.example', '--runtime', 'talos@1.9.0');

  assert.match(stdout, /\nnote: /);
  assert.doesNotMatch(stdout, /\nwarning: /);
});

test('an undo that finds nothing to take back says so', async (t) => {
  const folder = await place(t);
  await add(folder, 'quay.io', '--to', 'a.example', ...runtime);
  await rm(join(folder, 'node/etc'), { recursive: true });
  await rm(join(folder, 'node/var/lib/slipway/mirrors/rules.json'));

  const { exitCode, stdout } = await runCli(folder, 'mirrors', 'apply', '--undo', ...node);

  assert.equal(exitCode, 0);
  assert.match(stdout, /^there was nothing to take back below node: /);
});

test('a node that does not remember its rules is not robbed of them', async (t) => {
  const folder = await place(t);
  await add(folder, 'docker.io', '--to', 'a.example', ...runtime);
  await rm(join(folder, 'node/var'), { recursive: true });

  const { exitCode, stderr } = await add(folder, 'quay.io', '--to', 'a.example', ...runtime);

  assert.equal(exitCode, 78);
  assert.match(stderr, /docker\.io\/hosts\.toml was written by Slipway.*MIRROR_RULES_UNKNOWN/);
});

test('of two rules that are added at the same moment none is lost: who comes second is told to wait', async (t) => {
  const folder = await place(t);
  await add(folder, 'docker.io', '--to', 'a.example', ...runtime);
  const registries = ['quay.io', 'ghcr.io', 'gcr.io'];

  const runs = await Promise.all(registries.map((name) => add(folder, name, '--to', 'a.example')));

  const added = registries.filter((_, index) => runs[index]?.exitCode === 0);
  assert.ok(added.length > 0);
  for (const { exitCode, stderr } of runs.filter((run) => run.exitCode !== 0)) {
    assert.equal(exitCode, 74);
    assert.match(stderr, /MIRROR_NODE_BUSY/);
  }
  const remembered = JSON.parse(
    await readFile(join(folder, 'node/var/lib/slipway/mirrors/rules.json'), 'utf8'),
  ) as { rules: { registry: string }[] };
  const known = remembered.rules.map(({ registry }) => registry);
  assert.deepEqual(known.sort(), ['docker.io', ...added].sort());
});
