/** A pipe, device, socket or folder in the place of any input is named at once, with its path; nothing waits. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { runProgram } from '../src/cli/program.ts';
import { good, mustRun, startPlace, writeSite } from './support/bad-input-place.ts';
import { FakeHost } from './support/fake-host.ts';
import { answer } from './support/faults.ts';
import { runCli } from './support/run-cli.ts';
import { tempDir } from './support/temp-dir.ts';

interface Input {
  readonly name: string;
  readonly args: readonly string[];
  readonly code: string;
  readonly exitCode: number;
}

const prove = ['prove', 'sample.lock.yaml', '--runtime', 'containerd@2.1.1'];
/** Every command line with `odd` in the place of one input. */
const inputs: readonly Input[] = [
  { name: 'a Release', args: ['plan', 'odd', 'policy.yaml'] },
  { name: 'a policy', args: ['plan', 'release.yaml', 'odd'] },
  { name: 'a Lock', args: [...prove, '--root', '.'].with(1, 'odd') },
  { name: 'a Site', args: [...prove, '--root', '.', '--site', 'odd'] },
  { name: 'a Lock for a bundle', args: ['bundle', 'create', 'odd', '-o', 'b'] },
].map((input) => ({ ...input, code: 'DOCUMENT_UNREADABLE', exitCode: 74 }));

for (const { name, args, code, exitCode } of inputs) {
  test(`a pipe as ${name} is ${code}`, async (t) => {
    const { folder } = await startPlace(t);
    await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
    execFileSync('mkfifo', [join(folder, 'odd')]);

    const result = await runCli(folder, ...args);

    assert.equal(result.exitCode, exitCode, result.stderr);
    assert.match(result.stderr, new RegExp(`odd .*${code}`));
    assert.match(result.stderr, /odd is a pipe/);
  });
}

/** Makes the client look for a login. */
const unauthorized = answer({
  path: /manifests/,
  status: 401,
  headers: { 'www-authenticate': 'Basic realm="r"' },
});
const policyWith = (access: string, url: string) => `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes:
    upstream-only: {registries: ["*"], redistribute: never}
  registries:
    registry.k8s.io: {endpoint: "${url}", ${access}}
`;
const references = {
  'trust: {ca: odd}': 'TRUST_FILE_UNREADABLE',
  'trust: {clientCertificate: odd, clientKey: odd}': 'TRUST_FILE_UNREADABLE',
  'credentials: {file: odd}': 'CREDENTIAL_FILE_INVALID',
};
for (const [access, code] of Object.entries(references)) {
  test(`a pipe behind ${access} is ${code}`, async (t) => {
    const { folder, registry } = await startPlace(t, { faults: [unauthorized] });
    execFileSync('mkfifo', [join(folder, 'odd')]);
    await writeFile(join(folder, 'policy.yaml'), policyWith(access, registry.url));

    const { stderr, exitCode } = await runCli(folder, 'plan', 'release.yaml', 'policy.yaml');

    assert.notEqual(exitCode, 0);
    assert.match(stderr, new RegExp(code));
    assert.match(stderr, /odd is a pipe/);
  });
}

test('a pipe as login file of docker is DOCKER_CONFIG_INVALID', async (t) => {
  const { folder, registry } = await startPlace(t, { faults: [unauthorized] });
  execFileSync('mkfifo', [join(folder, 'config.json')]);
  const access = 'credentials: {dockerConfig: true}';
  await writeFile(join(folder, 'policy.yaml'), policyWith(access, registry.url));
  const place = { cwd: folder, env: { DOCKER_CONFIG: folder } };

  const { stderr } = await runCli(place, 'plan', 'release.yaml', 'policy.yaml');

  assert.match(stderr, /DOCKER_CONFIG_INVALID/);
  assert.match(stderr, /config\.json is a pipe/);
});

test('a pipe as password file of a registry is TRUST_FILE_UNREADABLE', async (t) => {
  const folder = await tempDir(t);
  execFileSync('mkfifo', [join(folder, 'odd')]);

  const args = ['--store', 'store', '--listen', '127.0.0.1:0', '--htpasswd', 'odd'];
  const { stderr } = await runCli(folder, 'registry', 'serve', ...args);

  assert.match(stderr, /TRUST_FILE_UNREADABLE/);
  assert.match(stderr, /odd is a pipe/);
});

test('a pipe as bundle is refused, for inspecting, verifying, loading and proving', async (t) => {
  const { folder } = await startPlace(t);
  await writeSite(folder, '127.0.0.1:1');
  execFileSync('mkfifo', [join(folder, 'odd.tar')]);

  for (const args of [
    ['bundle', 'inspect', 'odd.tar'],
    ['bundle', 'verify', 'odd.tar'],
    ['load', 'odd.tar', '--site', 'site.yaml'],
    ['prove', 'odd.tar', '--root', '.', '--runtime', 'containerd@2.1.1'],
  ]) {
    const { exitCode, stderr } = await runCli(folder, ...args);

    assert.ok([65, 74].includes(exitCode), `${args.join(' ')}: ${exitCode} ${stderr}`);
    assert.match(stderr, /odd\.tar/);
  }
});

const oddPlaces = {
  'a folder': async (path: string) => void (await mkdir(path)),
  'a device': async (path: string) => void execFileSync('ln', ['-s', '/dev/zero', path]),
};
for (const [kind, make] of Object.entries(oddPlaces)) {
  test(`${kind} as Release is named as such`, async (t) => {
    const folder = await tempDir(t);
    await make(join(folder, 'odd'));

    const { exitCode, stderr } = await runCli(folder, 'plan', 'odd');

    assert.equal(exitCode, 74);
    assert.match(stderr, new RegExp(`odd is ${kind}`));
  });
}

test('a document may come by standard input, as "-"', async (t) => {
  const { folder } = await startPlace(t);
  const stdin = good.replace('etcd:3.5', 'Etcd:3.5');

  const host = new FakeHost(['plan', '-', 'policy.yaml'], { cwd: folder, stdin });
  assert.equal(await runProgram(host), 65);
  const right = new FakeHost(['plan', '-', 'policy.yaml'], { cwd: folder, stdin: good });
  assert.equal(await runProgram(right), 0, right.stderr.text);

  assert.match(host.stderr.text, /^<stdin>:8:16 .*IMAGE_REFERENCE_INVALID$/m);
});
