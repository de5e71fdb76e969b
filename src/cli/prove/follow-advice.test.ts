/** What prove prints under "do" is done as it stands, until the node is proven. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fillRegistry } from '../../../test/support/fill-registry.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const main = 'node-1/etc/containerd/config.toml';

/** A Lock, a filled registry, its Site, and a node with this main configuration and no rules. */
async function place(t: TestContext, config: string | undefined): Promise<string> {
  const folder = await tempDir(t);
  const sample = sampleLock();
  const registry = await startRegistry(t);
  await fillRegistry(registry, sample, { project: 'platform' });
  await writeSampleLock(folder, sample);
  await mkdir(join(folder, main, '..'), { recursive: true });
  if (config !== undefined) await writeFile(join(folder, main), config);
  await writeSite(folder, `{address: "${registry.host}/platform", plainHttp: true}`);
  return folder;
}

function prove(folder: string, version: string) {
  const words = ['prove', 'sample.lock.yaml', '--site', 'site.yaml', '--root', 'node-1'];
  return runCli(folder, ...words, '--runtime', `containerd@${version}`);
}

/** The steps of a proof, each once, without their numbers. */
function stepsOf(stdout: string): readonly string[] {
  const steps = [...stdout.matchAll(/^ {8}(?:do {6}| {8})(?:\d+\. )?((?:slipway|Write) .*)$/gm)];
  return [...new Set(steps.map(([, step = '']) => step))];
}

async function follow(folder: string, step: string): Promise<void> {
  const version = /^Write (version = \d) as the first line of/.exec(step)?.[1];
  if (version !== undefined) {
    const text = await readFile(join(folder, main), 'utf8');
    return writeFile(join(folder, main), `${version}\n${text}`);
  }
  const { exitCode, stderr } = await runCli(folder, ...step.split(' ').slice(1));
  assert.equal(exitCode, 0, `${step}\n${stderr}`);
}

const mirrors = `version = 2
[plugins."io.containerd.grpc.v1.cri".registry.mirrors."docker.io"]
  endpoint = ["https://m.example"]
`;
const nodes: ReadonlyArray<
  readonly [what: string, version: string, config: string | undefined, steps: number]
> = [
  ['no main configuration', '2.1.1', undefined, 1],
  ['registry.mirrors', '1.7.20', mirrors, 1],
  [
    'registry.mirrors beside config_path',
    '1.7.20',
    `${mirrors}[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/etc/x"\n`,
    1,
  ],
  [
    'a main configuration without its version',
    '2.1.1',
    '[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "/etc/containerd/certs.d"\n',
    2,
  ],
  [
    'another sandbox image than the Lock',
    '2.1.1',
    'version = 3\n[plugins."io.containerd.cri.v1.images".pinned_images]\nsandbox = "a.example/pause:1"\n',
    1,
  ],
];

for (const [what, version, config, count] of nodes) {
  test(`the advice for a node with ${what} ends in a proven node`, async (t) => {
    const folder = await place(t, config);

    const { stdout } = await prove(folder, version);
    const steps = stepsOf(stdout);
    assert.equal(steps.length, count, stdout);
    for (const step of steps) await follow(folder, step);
    const proven = await prove(folder, version);

    assert.equal(proven.exitCode, 0, proven.stdout);
  });
}

test('a node whose rules name another sandbox image needs the rules, not another Lock', async (t) => {
  const folder = await place(t, undefined);
  for (const step of stepsOf((await prove(folder, '2.1.1')).stdout)) await follow(folder, step);
  const text = await readFile(join(folder, main), 'utf8');
  await writeFile(
    join(folder, main),
    text.replace(/^#.*\n/, '').replace('registry.k8s.io/pause:3.9', 'registry.k8s.io/pause:3.8'),
  );

  const { stdout } = await prove(folder, '2.1.1');

  assert.match(stdout, /^1 of 2 images will not reach node-1/);
  assert.match(stdout, /pods would wait in registry\.k8s\.io\/pause:3\.8/);
  assert.match(stdout, /\n {8}do {6}slipway mirrors write .*--replace\n/);
  assert.doesNotMatch(stdout, /Release/);
  for (const step of stepsOf(stdout)) await follow(folder, step);
  assert.equal((await prove(folder, '2.1.1')).exitCode, 0);
});

test('a platform that the Lock is not for is one usage error with the right one', async (t) => {
  const folder = await place(t, undefined);

  const { exitCode, stderr } = await runCli(
    folder,
    ...['prove', 'sample.lock.yaml', '--site', 'site.yaml', '--root', 'node-1'],
    ...['--runtime', 'containerd@2.1.1', '--platform', 'linux/arm'],
  );

  assert.equal(exitCode, 64);
  assert.match(stderr, /the Lock is not for linux\/arm, only for .*PROOF_PLATFORM_UNKNOWN/);
});
