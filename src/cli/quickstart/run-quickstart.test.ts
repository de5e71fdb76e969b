import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { FakeHost } from '../../../test/support/fake-host.ts';
import { runCli } from '../../../test/support/run-cli.ts';
import { startCli } from '../../../test/support/start-cli.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { Lock } from '../../release/lock.ts';
import { readLock } from '../../release/lock-document.ts';

/** How long it may take is measured in test/scenarios/quickstart; here other tests run beside it. */
const patient = { timeout: 300_000 };

/** What a reader sees, in this order. */
const milestones: readonly RegExp[] = [
  /^Everything happens on this machine, in \S+\n/,
  /\n\$ slipway plan release\.yaml policy\.yaml\nquickstart 26\.3\.0 .*: 9 images, 1 chart, 1 file/,
  /\n\$ slipway bundle create quickstart\.lock\.yaml .*\nquickstart\.bundle is complete/,
  /\nThe three registries are stopped now\./,
  /\n\$ slipway bundle verify quickstart\.bundle\nquickstart\.bundle is whole/,
  /\n\$ slipway registry serve .* --listen (127\.0\.0\.1:[1-9]\d*) .* &\nserving site-registry at https:\/\/\1,/,
  /\n\$ slipway load quickstart\.bundle --site site\.yaml\n\S+ has 9 images and 1 chart under 17 names: .* sent/,
  /\n\$ slipway mirrors write .*\nthe rules of containerd@2\.1\.1 below node-1 are in place/,
  /\n\$ mv \S+\/hosts\.toml \S+\/hosts\.yaml\n\$ curl .*-X DELETE /,
  /\n\$ slipway prove .*\n3 of 9 images will not reach node-1; do not install yet\n/,
  /the index is there, 1 of its 2 arm64 layers is not\n/,
  /hosts\.yaml is not a file that containerd reads/,
  /\n\$ slipway load .*console-website:v26\.03 --recheck\n\S+ has 1 image under 2 names whole again/,
  /\n\$ slipway mirrors write .*\n.*: 1 file changed\n/,
  /\n\$ slipway prove .* --deep\nall 9 images will reach node-1, every byte of them hashed\n/,
];

/** Starts and ends of steps, and how far a slow one is. */
const progressLine = /^(?: {2}[·✔] .*| {4}(?:resolve|fetch|verify|load|mirrors|prove) .*)\n/gm;

function assertStory(text: string): void {
  let rest = text;
  for (const milestone of milestones) {
    const found = milestone.exec(rest);
    assert.ok(found, `${milestone} is missing in\n${text}`);
    rest = rest.slice(found.index);
  }
}

test(
  'the quickstart shows a failing proof, repairs it, and leaves nothing behind',
  patient,
  async (t) => {
    const temp = await tempDir(t);
    // A proxy that would swallow everything: nothing may ask it.
    const env = {
      TMPDIR: temp,
      HTTPS_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
    };

    const { exitCode, stdout, stderr } = await runCli({ cwd: temp, env }, 'quickstart');

    assert.equal(exitCode, 0, stderr + stdout);
    assertStory(stdout);
    assert.match(stdout, /\n9 of 9 proven\n$/);
    assert.deepEqual(await readdir(temp), []);
  },
);

test(
  'on a terminal the quickstart goes on serving until Ctrl-C, and keeps the folder it was given',
  patient,
  async (t) => {
    const cwd = await tempDir(t);
    const args = ['quickstart', '--folder', 'try'];
    const env = { TMPDIR: cwd, NO_COLOR: '1' };
    const cli = startCli(t, new FakeHost(args, { cwd, env, isTTY: true }));

    const url = await cli.printed(
      /curl --cacert registry-tls\/ca\.pem (https:\S+)\/v2\/_catalog\n/g,
    );
    await cli.printed(/Ctrl-C stops it; the folder stays\.\n/);
    const exitCode = await cli.stop('SIGINT');

    assert.equal(exitCode, 0, cli.host.stderr.text);
    assert.match(cli.host.stdout.text, /\n9 of 9 proven\n\nThe registry goes on at https/);
    assert.match(cli.host.stdout.text, /\nstopped; everything stays in try\n$/);
    const readme = await readFile(join(cwd, 'try/README.md'), 'utf8');
    await startsAgain(t, join(cwd, 'try'), readme);
    const lock = await readFile(join(cwd, 'try/quickstart.lock.yaml'));
    assert.ok(Lock.safeParse(readLock(lock, 'lock')).success);
    assert.match(await readFile(join(cwd, 'try/site.yaml'), 'utf8'), new RegExp(new URL(url).host));
  },
);

/** The two commands of the README, as they stand there: the registry serves, and the proof succeeds. */
async function startsAgain(t: TestContext, folder: string, readme: string): Promise<void> {
  const words = (command: RegExp) => (command.exec(readme)?.[1] ?? '').split(' ');
  const serving = startCli(t, folder, ...words(/^ {4}slipway (registry serve .*)$/m));
  await serving.printed(/serving site-registry at/);

  const proof = await runCli(folder, ...words(/^ {4}slipway (prove .*)$/m));

  assert.equal(proof.exitCode, 0, proof.stdout + proof.stderr);
  await serving.stop();
}

test('the quickstart as JSON: one document with every step', patient, async (t) => {
  const temp = await tempDir(t);
  const env = { TMPDIR: temp };

  const { exitCode, stdout, stderr } = await runCli({ cwd: temp, env }, 'quickstart', '--json');

  const report = JSON.parse(stdout) as { steps: { command: string; exitCode: number }[] };
  assert.equal(exitCode, 0, stderr);
  const { steps, ...counts } = report;
  assert.deepEqual(counts, { images: 9, proven: 9 });
  const failed = steps.filter((step) => step.exitCode !== 0);
  assert.match(failed.map(({ command }) => command).join(), /^slipway prove [^,]+$/);
  assertStory(stderr.replaceAll(progressLine, ''));
});

test(
  'Ctrl-C in the middle of the quickstart stops everything and leaves nothing behind',
  patient,
  async (t) => {
    const temp = await tempDir(t);
    const host = new FakeHost(['quickstart'], { cwd: temp, env: { TMPDIR: temp } });
    const cli = startCli(t, host);
    await cli.printed(/serving site-registry at/);

    const exitCode = await cli.stop('SIGINT');

    assert.equal(exitCode, 130, host.stderr.text);
    assert.match(host.stderr.text, /\nstopped.*; go on: slipway quickstart\n$/);
    assert.equal(host.stderr.text.match(/go on:/g)?.length, 1);
    assert.deepEqual(await readdir(temp), []);
  },
);

test('the quickstart writes into no folder that holds something', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'mine'), 'mine');

  const { exitCode, stderr } = await runCli(folder, 'quickstart', '--folder', '.');

  assert.equal(exitCode, 78);
  assert.match(stderr, /FOLDER_IN_USE/);
  assert.deepEqual(await readdir(folder), ['mine']);
});

test('a step that does not end as it should ends the quickstart', patient, async (t) => {
  const temp = await tempDir(t);
  const host = new FakeHost(['quickstart', '--folder', 'q'], { cwd: temp });
  const cli = startCli(t, host);
  await cli.printed(/\$ slipway plan release\.yaml/);
  await writeFile(join(temp, 'q/quickstart.bundle'), 'in the way');

  const exitCode = await cli.ended;

  assert.notEqual(exitCode, 0);
  assert.match(host.stderr.text, /"slipway bundle create .*" ended with \d+, not with 0/);
});
