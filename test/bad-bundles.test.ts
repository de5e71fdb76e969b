/** Bundles that were not made by this version of Slipway, or not as they are now. */
import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { bundledPlace, createArguments, writeSite } from './support/bad-input-place.ts';
import { runCli } from './support/run-cli.ts';

test('a bundle from a newer version is refused before anything else is judged', async (t) => {
  const { folder } = await bundledPlace(t);
  const path = join(folder, 'sample.bundle/slipway/bundle.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object; // as createBundle wrote it
  await writeFile(path, JSON.stringify({ ...manifest, formatVersion: 2, news: true }));

  await assertRefused(folder, 'sample.bundle', { code: 'BUNDLE_TOO_NEW', exitCode: 65 });
});

test('a folder with a link that leads out of it is refused', async (t) => {
  const { folder } = await bundledPlace(t);
  await writeFile(join(folder, 'secret'), 'not yours');
  const [blob] = await readdir(join(folder, 'sample.bundle/blobs/sha256'));
  const path = join(folder, 'sample.bundle/blobs/sha256', blob ?? '');
  await rm(path);
  await symlink(join(folder, 'secret'), path);

  await assertRefused(folder, 'sample.bundle', { code: 'BUNDLE_PATH_UNSAFE', exitCode: 78 });
});

for (const name of ['../secret', '/etc/passwd', 'blobs/../../secret']) {
  test(`an archive with ${name} is refused, and nothing is written there`, async (t) => {
    const { folder } = await bundledPlace(t, 'sample.tar');
    const path = join(folder, 'sample.tar');
    await writeFile(path, renameFirst(await readFile(path), name));
    const before = [...(await readdir(folder)), 'site.yaml'].sort();

    await assertRefused(folder, 'sample.tar', { code: 'BUNDLE_PATH_UNSAFE', exitCode: 78 });
    assert.deepEqual((await readdir(folder)).sort(), before);
  });
}

test('a bundle that lost its end is not taken for whole', async (t) => {
  const { folder } = await bundledPlace(t, 'sample.tar');
  const path = join(folder, 'sample.tar');
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, bytes.length - 5000));

  const verify = await runCli(folder, 'bundle', 'verify', 'sample.tar');

  assert.equal(verify.exitCode, 1);
  assert.match(verify.stdout, /truncated/);
});

test('what was added to an archive is named with its place, and the bundle is not whole', async (t) => {
  const { folder } = await bundledPlace(t, 'sample.tar');
  await appendFile(join(folder, 'sample.tar'), 'more');

  const verify = await runCli(folder, 'bundle', 'verify', 'sample.tar');

  assert.equal(verify.exitCode, 1);
  assert.match(
    verify.stdout,
    /1 difference\n\n {2}added .*sample\.tar .*bytes follow the end of the archive/,
  );
});

test("somebody else's folder where an unfinished bundle would lie is named and kept", async (t) => {
  const { folder } = await bundledPlace(t);
  await mkdir(join(folder, 'other.bundle.partial'));
  await writeFile(join(folder, 'other.bundle.partial/holiday.jpg'), 'me');

  const create = await runCli(folder, ...createArguments, '--own-use', '-o', 'other.bundle');

  assert.equal(create.exitCode, 65, create.stderr);
  assert.match(create.stderr, /holiday\.jpg was not made by slipway {2}BUNDLE_PARTIAL_FOREIGN/);
  assert.equal(await readFile(join(folder, 'other.bundle.partial/holiday.jpg'), 'utf8'), 'me');
  assert.ok(!(await readdir(folder)).includes('other.bundle'));
});

/** By everything that opens a bundle, before a byte reaches a registry. */
async function assertRefused(
  folder: string,
  bundle: string,
  wanted: { readonly code: string; readonly exitCode: number },
): Promise<void> {
  await writeSite(folder, '127.0.0.1:9');
  for (const command of [
    ['bundle', 'verify', bundle],
    ['bundle', 'inspect', bundle],
    ['load', bundle, '--site', 'site.yaml'],
    ['registry', 'serve', '--bundle', bundle, '--listen', '127.0.0.1:0'],
  ]) {
    const { exitCode, stderr } = await runCli(folder, ...command);
    assert.equal(exitCode, wanted.exitCode, `${command.join(' ')}: ${stderr}`);
    assert.match(stderr, new RegExp(wanted.code));
  }
}

/** Gives the first file of an archive another name, with a header that is in order. */
function renameFirst(archive: Buffer, name: string): Buffer {
  const renamed = Buffer.from(archive);
  renamed.fill(0, 0, 100);
  renamed.write(name, 0, 'latin1');
  renamed.write('        ', 148, 'latin1');
  const sum = renamed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  renamed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return renamed;
}
