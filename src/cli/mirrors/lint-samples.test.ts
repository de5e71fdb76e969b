/** The files that a multi-registry installation is described with, wrong in every known way, and corrected. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';

const samples = join(import.meta.dirname, '../../../test/fixtures/multi-registry');
const lock = ['--lock', '../release.lock.yaml', '--site', 'site.yaml'];
/** Everything together, but for main configurations with which containerd pulls nothing at all. */
const files = ['k3s', 'certs.d', 'images.txt', 'rendered.yaml', 'check.sh'];

interface Found {
  readonly findings: ReadonlyArray<{ rule: string; file: string; line?: number; level: string }>;
}

async function lint(folder: string, ...words: readonly string[]) {
  const cwd = join(samples, folder);
  const { stdout, exitCode } = await runCli(cwd, 'mirrors', 'lint', ...words, ...lock, '--json');
  // The fields are those that lintAsJson prints.
  const { findings } = JSON.parse(stdout) as Found;
  return { exitCode, findings };
}

/** Each mistake of mirrors.md, section 11, by its row, and where it must be named: rule, file and line. Row 19 is this set. */
const mistakes: ReadonlyArray<readonly [row: number, what: string, rule: string, at: string]> = [
  [1, 'registry.yaml', 'C001', 'k3s/registry.yaml'],
  [2, 'hosts.yaml', 'C001', 'certs.d/docker.io/hosts.yaml'],
  [3, 'YAML in place of TOML', 'C002', 'certs.d/registry.k8s.io/hosts.toml:1'],
  [4, 'tls under the name of the registry', 'K002', 'k3s/registry.yaml:12'],
  [5, 'a web site as the server', 'C004', 'certs.d/docker.io/hosts.yaml:1'],
  [6, 'pushes to a mirror', 'C006', 'certs.d/docker.io/hosts.yaml:3'],
  [7, 'a registry without rules (k3s)', 'K008', 'k3s/registry.yaml'],
  [7, 'a registry without rules (containerd)', 'C005', 'certs.d'],
  [8, 'another port than the Site', 'I005', 'certs.d/docker.io/hosts.yaml:2'],
  [9, 'the table of another version', 'C018', 'old-table/config.toml:3'],
  [10, 'a key that is silently ignored', 'C003', 'certs.d/docker.io/hosts.yaml:4'],
  [11, 'registry.mirrors beside config_path', 'C019', 'with-mirrors/config.toml:6'],
  [12, 'the registry stays last (k3s)', 'K008', 'k3s/registry.yaml:2'],
  [12, 'the registry stays last (containerd)', 'C005', 'certs.d/docker.io/hosts.yaml:1'],
  [13, 'a path that only templates know', 'I002', 'k3s/registry.yaml:4'],
  [14, 'repo without a slash', 'I004', 'rendered.yaml:8'],
  [15, 'another spelling in the list', 'I003', 'images.txt:4'],
  [15, 'another spelling in a manifest', 'I003', 'rendered.yaml:12'],
  [16, 'two registries, one name', 'I001', 'k3s/registry.yaml:7'],
  [17, 'crictl images as a check', 'I006', 'check.sh:5'],
  [17, 'ctr as a check', 'I007', 'check.sh:6'],
  [18, 'the word of containerd in a file of k3s', 'K001', 'k3s/registry.yaml:14'],
];

test('every mistake of the samples is named with its rule and line, in one look', async () => {
  const together = await lint('wrong', ...files);
  const configurations = [await lint('wrong', 'old-table'), await lint('wrong', 'with-mirrors')];
  const all = [together, ...configurations].flatMap(({ findings }) => findings);
  const said = all.map(
    ({ rule, file, line }) => `${rule} ${[file, line].filter(Boolean).join(':')}`,
  );

  const missing = mistakes.filter(([, , rule, at]) => !said.includes(`${rule} ${at}`));

  assert.deepEqual(missing, []);
  assert.equal(together.exitCode, 1);
});

test('each row that a linter can see has its sample (section 11, rows 1 to 18)', () => {
  const rows = new Set(mistakes.map(([row]) => row));

  assert.deepEqual(
    [...rows],
    Array.from({ length: 18 }, (_, index) => index + 1),
  );
});

test('nothing is found in the corrected samples, for the versions of the Lock', async () => {
  const { findings, exitCode } = await lint('corrected', ...files, 'config.toml');

  assert.deepEqual(findings, []);
  assert.equal(exitCode, 0);
});

test('rules about images say nothing where no images are known', async () => {
  const cwd = join(samples, 'wrong');

  const { stdout } = await runCli(cwd, 'mirrors', 'lint', 'k3s', 'certs.d', '--site', 'site.yaml');

  assert.doesNotMatch(stdout, / I00\d$/m);
});

test('a list alone is enough to see two registries with one name', async () => {
  const cwd = join(samples, 'wrong');

  const { stdout } = await runCli(cwd, 'mirrors', 'lint', 'k3s', 'images.txt');

  assert.match(stdout, /^k3s\/registry\.yaml:7:9 {2}error I001$/m);
  assert.match(stdout, /one may be given the other/);
});

test('SARIF and --fix --dry-run have the safe changes of names', async () => {
  const cwd = join(samples, 'wrong');
  const words = ['mirrors', 'lint', 'rendered.yaml', ...lock];

  const sarif = await runCli(cwd, ...words, '--format', 'sarif');
  const fix = await runCli(cwd, ...words, '--fix', '--dry-run');

  assert.match(
    sarif.stdout,
    /"text": "deploy\.example\/platform\/cluster-api-controller:v1\.4\.3"/,
  );
  assert.match(
    fix.stdout,
    /^\+ +image: deploy\.example\/platform\/cluster-api-controller:v1\.4\.3$/m,
  );
  assert.match(fix.stdout, /next: .* --site site\.yaml --lock \.\.\/release\.lock\.yaml --fix\n/);
});
