import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { fillRegistry } from '../../../test/support/fill-registry.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import {
  type StartRegistryOptions,
  startRegistry,
  type TestRegistry,
} from '../../../test/support/start-registry.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { ProofReport } from '../../proof/report.ts';

interface Place {
  readonly folder: string;
  readonly registry: TestRegistry;
}

/** A Lock, a filled registry, a Site for it whose nodes see it under a name, and a node with rules. */
async function place(t: TestContext, options: StartRegistryOptions = {}): Promise<Place> {
  const folder = await tempDir(t);
  const sample = sampleLock();
  const registry = await startRegistry(t, options);
  await fillRegistry(registry, sample, { project: 'platform' });
  await writeSampleLock(folder, sample);
  await mkdir(join(folder, 'node-1'));
  const main = `{address: "registry.example:5000/platform", plainHttp: true, seenFrom: {host: "${registry.host}"}}`;
  await writeSite(folder, main, '{management: {runtime: containerd@2.1.1}}');
  const written = await runCli(
    folder,
    'mirrors',
    'write',
    '--site',
    'site.yaml',
    '--root',
    'node-1',
  );
  assert.equal(written.exitCode, 0, written.stderr);
  return { folder, registry };
}

const prove = ['prove', 'sample.lock.yaml', '--site', 'site.yaml', '--root', 'node-1'];

test('prove exits 0 when every image is proven, at the address that this machine sees', async (t) => {
  const { folder } = await place(t);

  const { exitCode, stdout } = await runCli(folder, ...prove, '--report', 'proof.json', '--deep');

  assert.equal(exitCode, 0, stdout);
  assert.match(stdout, /^all 2 images will reach node-1, every byte of them hashed\n/);
  assert.match(stdout, /\n2 of 2 proven · \d+ requests in .* · report proof\.json\n$/);
  const report = ProofReport.parse(JSON.parse(await readFile(join(folder, 'proof.json'), 'utf8')));
  assert.deepEqual(
    [report.node, report.runtime, report.deep],
    ['node-1', 'containerd@2.1.1', true],
  );
});

test('--quiet leaves out what hurts no image of the Lock, and keeps the warnings (R0-87)', async (t) => {
  const { folder } = await place(t);
  const table = '[plugins."io.containerd.cri.v1.images".registry.configs."docker.io".auth]';
  const main = join(folder, 'node-1/etc/containerd/config.toml');
  await appendFile(main, `\n${table}\nusername = "u"\npassword = "p"\n`);

  const loud = await runCli(folder, ...prove);
  const quiet = await runCli(folder, ...prove, '--quiet');

  assert.match(loud.stdout, / {2}note .*C020/);
  assert.doesNotMatch(quiet.stdout, /C020/);
  assert.match(quiet.stdout, / {2}note .* is asked in plain HTTP/);
  assert.equal(quiet.exitCode, loud.exitCode);
});

test('prove exits 1 and gives the load command when a repository is gone', async (t) => {
  const { folder, registry } = await place(t);
  await registry.repositories.removeTag('platform/pause', '3.9');
  await writeFile(join(folder, 'sample.tar'), '');

  const { exitCode, stdout } = await runCli(folder, ...prove);

  assert.equal(exitCode, 1);
  assert.match(stdout, /^1 of 2 images will not reach node-1; do not install yet\n/);
  assert.match(
    stdout,
    /do +slipway load sample\.tar --site site\.yaml --only registry\.k8s\.io\/pause:3\.9\n/,
  );
  assert.match(stdout, / · exit 1\n$/);
});

test('prove gives the mirrors command when the rules leave the site', async (t) => {
  const { folder } = await place(t);
  await rm(join(folder, 'node-1/etc/containerd/certs.d'), { recursive: true });

  const { exitCode, stdout } = await runCli(folder, ...prove);

  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /do +slipway mirrors write --site site\.yaml --lock sample\.lock\.yaml --root node-1 --runtime containerd@2\.1\.1\n/,
  );
});

test('prove says --replace where somebody else wrote the rules, and that command repairs them', async (t) => {
  const { folder } = await place(t);
  const file = join(folder, 'node-1/etc/containerd/certs.d/registry.k8s.io/hosts.toml');
  await writeFile(file, 'server = "https://registry.k8s.io"\n');

  const failed = await runCli(folder, ...prove);
  const command = /do +slipway (mirrors write .*--replace)\n/.exec(failed.stdout)?.[1] ?? '';
  const repaired = await runCli(folder, ...command.split(' '));
  const again = await runCli(folder, ...prove);

  assert.match(failed.stdout, /^1 of 2 images will not reach node-1/);
  assert.equal(repaired.exitCode, 0, failed.stdout + repaired.stderr);
  assert.equal(again.exitCode, 0, again.stdout);
});

test('the report says of what it was made: another Site or file of the node is another digest', async (t) => {
  const { folder } = await place(t);
  const madeFrom = async () => {
    const { stdout } = await runCli(folder, ...prove, '--json');
    return ProofReport.parse(JSON.parse(stdout)).madeFrom;
  };

  const first = await madeFrom();
  const same = await madeFrom();
  const site = join(folder, 'site.yaml');
  await writeFile(site, `# a comment\n${await readFile(site, 'utf8')}`);
  const commented = await madeFrom();
  await writeFile(site, (await readFile(site, 'utf8')).replace('plant-7', 'plant-8'));
  const otherSite = await madeFrom();
  const extra = join(folder, 'node-1/etc/containerd/certs.d/registry.k8s.io/other.toml');
  await writeFile(extra, '');
  const otherNode = await madeFrom();

  assert.ok(first.site !== undefined && first.node !== undefined);
  assert.deepEqual([same, commented], [first, first]);
  assert.notEqual(otherSite.site, first.site);
  assert.deepEqual({ ...otherSite, site: first.site }, first);
  assert.notEqual(otherNode.node, otherSite.node);
  assert.equal(otherNode.lock, first.lock);
});

test('--from nodes asks at the addresses of the nodes', async (t) => {
  const { folder } = await place(t);

  const { exitCode, stdout } = await runCli(
    folder,
    ...prove,
    '--from',
    'nodes',
    '--platform',
    'linux/amd64',
  );

  assert.equal(exitCode, 1);
  assert.match(stdout, /registry\.example:5000/);
  assert.doesNotMatch(stdout, /at 127\.0\.0\.1/);
});

test('the logins of the user are offered only on request', async (t) => {
  const { folder, registry } = await place(t, { users: { ann: 'secret' } });
  const auth = Buffer.from('ann:secret').toString('base64');
  const config = { auths: { 'registry.k8s.io': { auth }, 'cr.openfuyao.cn': { auth } } };
  await writeFile(join(folder, 'auth.json'), JSON.stringify(config));
  const env = { REGISTRY_AUTH_FILE: join(folder, 'auth.json') };

  const without = await runCli({ cwd: folder, env }, ...prove);
  const withLogins = await runCli({ cwd: folder, env }, ...prove, '--my-logins-as-pull-secrets');

  assert.equal(without.exitCode, 1);
  assert.equal(withLogins.exitCode, 0, withLogins.stdout);
  assert.ok(registry.log.some(({ user }) => user === 'ann'));
  assert.doesNotMatch(withLogins.stdout, /secret"|YW5u/);
});

test('an index that a load had to rewrite is proven by its record', async (t) => {
  const { folder, registry } = await place(t);
  const { from, to } = await rewriteApp(t, registry);
  const name = 'registry.example:5000/platform/openfuyao/app:v1';
  const record = { format: 'slipway.dev/rewrites/v1', rewrites: [{ name, from, to }] };
  await writeFile(join(folder, 'sample.tar.rewrites.json'), JSON.stringify(record));

  const without = await runCli(folder, ...prove);
  const withRecord = await runCli(folder, ...prove, '--rewritten', 'sample.tar.rewrites.json');
  const broken = await runCli(folder, ...prove, '--rewritten', 'site.yaml');

  assert.match(without.stdout, /^1 of 2 images will not reach node-1/);
  assert.equal(withRecord.exitCode, 0, withRecord.stdout);
  assert.match(broken.stderr, /REWRITE_RECORD_INVALID/);
});

/** Puts another index over the same manifests behind the tag of the sample's app. */
async function rewriteApp(t: TestContext, registry: TestRegistry) {
  const sample = sampleLock();
  const target = sample.lock.spec.images[0]?.target;
  assert.ok(target);
  const index = JSON.parse(Buffer.from(sample.blobs.get(target.digest) ?? []).toString()) as object;
  const bytes = Buffer.from(JSON.stringify({ ...index, annotations: { rewritten: 'yes' } }));
  const descriptor = { ...target, digest: digestOf(bytes), size: bytes.length };
  await registry.store.put(descriptor, bytesOf(bytes), testRun(t));
  await registry.repositories.putManifest('platform/openfuyao/app', { descriptor });
  await registry.repositories.setTag('platform/openfuyao/app', 'v1', descriptor.digest);
  return { from: target.digest, to: descriptor.digest };
}

test('--json is the report', async (t) => {
  const { folder } = await place(t);

  const { stdout } = await runCli(folder, ...prove, '--json');

  assert.equal(ProofReport.parse(JSON.parse(stdout)).totals.proven, 2);
});

test('without a Site prove needs the runtime, and says that nothing was forbidden', async (t) => {
  const { folder } = await place(t);
  const bare = ['prove', 'sample.lock.yaml', '--root', 'node-1'];

  const undecided = await runCli(folder, ...bare);
  const unknown = await runCli(folder, ...bare, '--runtime', 'containerd@2.1');
  const platform = await runCli(folder, ...prove, '--platform', 'amd64');

  assert.deepEqual([undecided.exitCode, unknown.exitCode, platform.exitCode], [64, 64, 64]);
  assert.match(undecided.stderr, /RUNTIME_UNDECIDED/);
  assert.match(unknown.stderr, /RUNTIME_ID_INVALID/);
  assert.match(platform.stderr, /PROOF_PLATFORM_INVALID/);
});
