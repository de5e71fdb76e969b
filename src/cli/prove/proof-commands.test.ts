import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type AdvisedOrder, proofCommands } from './proof-commands.ts';

const order: AdvisedOrder = {
  lockFile: 'sample.lock.yaml',
  root: '/mnt/node 1',
  siteFile: 'site.yaml',
  platforms: ['linux/arm64'],
  from: 'nodes',
  deep: true,
};
const facts = { lock: sampleLock().lock, runtime: 'containerd@2.1.1' };

test('the record that a load left beside its bundle is named in a proof as it was typed', async (t) => {
  const cwd = await tempDir(t);
  await writeFile(join(cwd, 'sample.bundle.rewrites.json'), '{}');

  const { proveRewritten } = await proofCommands({ environment: { cwd } }, order, facts);

  assert.equal(
    proveRewritten,
    "slipway prove sample.lock.yaml --root '/mnt/node 1' --runtime containerd@2.1.1 --site site.yaml --platform linux/arm64 --from nodes --deep --rewritten sample.bundle.rewrites.json",
  );
});

test('without a record the way to it is told, and no file is made up', async (t) => {
  const context = { environment: { cwd: await tempDir(t) } };

  const { proveRewritten } = await proofCommands(context, order, facts);

  assert.match(proveRewritten ?? '', /^if "slipway load --rewrite-indexes" loaded it/);
});

test('a proof that has the record advises loads that rewrite again', async (t) => {
  const context = { environment: { cwd: await tempDir(t) } };
  const withRecord = { ...order, rewrittenFile: 'sample.tar.rewrites.json' };

  const { proveRewritten, load } = await proofCommands(context, withRecord, facts);

  assert.equal(proveRewritten, undefined);
  assert.match(load('a', { repair: true }), / --only a --recheck --rewrite-indexes$/);
});
