import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { digestOf } from '../../oci/digest.ts';
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

test('a SourcePolicy that is not there is not named, nor a Release', async (t) => {
  const cwd = await tempDir(t);
  const lock = { ...facts.lock, spec: { ...facts.lock.spec } };
  const release = lock.spec.images[0]?.reasons[0]?.file ?? '';
  const madeFrom = { ...lock.spec.madeFrom, policy: digestOf('policy') };
  const withPolicy = { ...lock, spec: { ...lock.spec, madeFrom } };
  const planFor = async (of: typeof lock) =>
    (await proofCommands({ environment: { cwd } }, order, { ...facts, lock: of })).plan;

  const nothing = await planFor(lock);
  await writeFile(join(cwd, release), '');
  const onlyRelease = await planFor(lock);
  const noPolicy = await planFor(withPolicy);
  await writeFile(join(cwd, 'policy.yaml'), '');
  const both = await planFor(withPolicy);

  assert.match(nothing, /^plan again with "slipway plan" and the Release that/);
  assert.equal(onlyRelease, `slipway plan ${release} --output sample.lock.yaml`);
  assert.match(noPolicy, /the Release and the SourcePolicy that sample\.lock\.yaml was made from$/);
  assert.equal(both, `slipway plan ${release} policy.yaml --output sample.lock.yaml`);
});

test('rules of somebody else are written over with --replace', async (t) => {
  const context = { environment: { cwd: await tempDir(t) } };

  const { writeRules } = await proofCommands(context, order, {
    ...facts,
    forecast: { replacesForeign: true, before: [] },
  });

  assert.match(writeRules, / --runtime containerd@2\.1\.1 --replace$/);
});
