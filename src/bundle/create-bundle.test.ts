import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { bytesOfSample, type SampleLock, sampleLock } from '../../test/support/sample-lock.ts';
import { SampleSources } from '../../test/support/sample-sources.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { testRun } from '../../test/support/test-run.ts';
import { bytesOf } from '../content/byte-streams.ts';
import { DiskFull } from '../content/errors.ts';
import { digestOf } from '../oci/digest.ts';
import { canonicalJson } from '../shared/json.ts';
import { bundleContents } from './contents.ts';
import { createBundle } from './create-bundle.ts';
import { openFolderSink } from './folder-sink.ts';
import { openBundle } from './open-bundle.ts';
import { openTarSink } from './tar-sink.ts';
import { verifyBundle } from './verify-bundle.ts';

const sinks = { folder: openFolderSink, tar: openTarSink } as const;

function recipeOf({ lock, lockText }: SampleLock) {
  return { lock, lockText, purpose: 'redistribution', toolVersion: '0.0.0-test' } as const;
}

async function destination(t: TestContext, kind: keyof typeof sinks) {
  return { path: join(await tempDir(t), `sample.${kind}`), openSink: sinks[kind] };
}

for (const kind of ['folder', 'tar'] as const) {
  test(`${kind}: a bundle has everything of its Lock, each blob fetched once`, async (t) => {
    const sample = sampleLock();
    const sources = new SampleSources(sample);
    const to = await destination(t, kind);

    const report = await createBundle(recipeOf(sample), sources, to, testRun(t));

    assert.equal(report.isNew, true);
    assert.equal(sources.asked.length, sample.blobs.size + 1);
    assert.equal(
      new Set(sources.asked.map((asked) => asked.split(' ').at(-1))).size,
      sources.asked.length,
    );
    await using bundle = await openBundle(to.path, testRun(t));
    assert.deepEqual(await verifyBundle(bundle.files, bundle.manifest, testRun(t)), []);
    assert.deepEqual(bundle.lock, sample.lock);
  });

  test(`${kind}: a second run of finished work moves no bytes (P4)`, async (t) => {
    const sample = sampleLock();
    const to = await destination(t, kind);
    await createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t));
    const sources = new SampleSources(sample);

    const report = await createBundle(recipeOf(sample), sources, to, testRun(t));

    assert.deepEqual([report.isNew, report.fetchedBytes, sources.asked], [false, 0, []]);
  });

  test(`${kind}: what is complete is said to be, also where nothing can be written`, async (t) => {
    const sample = sampleLock();
    const to = await destination(t, kind);
    await createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t));
    // Stands for a read-only medium, where root could write beside it: no lock can be taken.
    await mkdir(`${to.path}.partial.lock`);

    const report = await createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t));

    assert.deepEqual([report.isNew, report.fetchedBytes], [false, 0]);
  });

  test(`${kind}: what failed is named with its images; the next run fetches only that (P6)`, async (t) => {
    const sample = sampleLock();
    const sources = new SampleSources(sample);
    const layer = sample.lock.spec.images[0]?.platforms[1]?.layers[1];
    assert.ok(layer);
    sources.missing.add(layer.digest);
    const to = await destination(t, kind);

    const failing = createBundle(recipeOf(sample), sources, to, testRun(t));

    await assert.rejects(failing, (error: Error & { code: string }) => {
      assert.equal(error.code, 'BUNDLE_FETCH_FAILED');
      assert.match(
        error.message,
        /has no blob .* {2}BLOB_NOT_FOUND\n {8}for {2}cr\.openfuyao\.cn\/openfuyao\/app:v1\n {8}do /,
      );
      return true;
    });
    sources.missing.clear();
    sources.asked.length = 0;
    await createBundle(recipeOf(sample), sources, to, testRun(t));
    assert.deepEqual(sources.asked, [`cr.openfuyao.cn/openfuyao/app ${layer.digest}`]);
  });

  test(`${kind}: another bundle under the same name is not touched`, async (t) => {
    const [first, second] = [sampleLock('one'), sampleLock('two')];
    const to = await destination(t, kind);
    await createBundle(recipeOf(first), new SampleSources(first), to, testRun(t));

    await assert.rejects(
      createBundle(recipeOf(second), new SampleSources(second), to, testRun(t)),
      { code: 'BUNDLE_EXISTS' },
    );

    await using bundle = await openBundle(to.path, testRun(t));
    assert.deepEqual(bundle.lock, first.lock);
  });
}

test('a disk that fills up ends it at once, as what it is (DISK_FULL)', async (t) => {
  const to = await destination(t, 'folder');
  const openSink: typeof openFolderSink = async (...how) => {
    const sink = await openFolderSink(...how);
    sink.write = async ({ size }) => {
      throw new DiskFull({ path: sink.partialPath, sizeBytes: size });
    };
    return sink;
  };
  const sample = sampleLock();

  const creating = createBundle(
    recipeOf(sample),
    new SampleSources(sample),
    { ...to, openSink },
    testRun(t),
  );

  await assert.rejects(creating, { code: 'DISK_FULL' });
});

test('what may not travel stops a bundle for others before anything is fetched (R0-29)', async (t) => {
  const sample = sampleLock();
  const [image] = sample.lock.spec.images;
  assert.ok(image);
  image.redistribution = 'own-use-only';
  const sources = new SampleSources(sample);
  const to = await destination(t, 'folder');

  await assert.rejects(createBundle(recipeOf(sample), sources, to, testRun(t)), {
    code: 'BUNDLE_NOT_FOR_OTHERS',
  });

  assert.deepEqual(sources.asked, []);
  const own = { ...recipeOf(sample), purpose: 'own-use' } as const;
  const { purpose } = await createBundle(own, sources, to, testRun(t));
  assert.equal(purpose, 'own-use');
});

test('a chart that a person has to look at first keeps a bundle from travelling, as an image does (R0-29)', async (t) => {
  const sample = sampleLock();
  const [chart] = sample.lock.spec.charts;
  assert.ok(chart);
  chart.redistribution = 'review';
  const sources = new SampleSources(sample);
  const to = await destination(t, 'folder');

  await assert.rejects(createBundle(recipeOf(sample), sources, to, testRun(t)), {
    code: 'BUNDLE_NOT_FOR_OTHERS',
    message:
      /this one may not:\n {2}hub\.oepkgs\.net\/openfuyao\/charts\/metrics:1\.0\.0: a person has to look at its licence first$/,
  });

  assert.deepEqual(sources.asked, []);
});

test('a Lock that was put into a bundle of another Lock is noticed (R0-86, R0-108)', async (t) => {
  const [sample, other] = [sampleLock('one'), sampleLock('two')];
  const to = await destination(t, 'folder');
  await createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t));
  await writeFile(join(to.path, 'slipway/lock.yaml'), other.lockText);

  await assert.rejects(openBundle(to.path, testRun(t)), { code: 'BUNDLE_DAMAGED' });

  const path = join(to.path, 'slipway/bundle.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { lock: { digest: string } };
  manifest.lock.digest = digestOf(other.lockText);
  await writeFile(path, canonicalJson(manifest));
  await assert.rejects(openBundle(to.path, testRun(t)), { code: 'BUNDLE_MISMATCH' });
});

for (const [what, change, why] of [
  [
    'of another release',
    (text: string) => text.replace('"1.0.0"', '"1.0.1"'),
    /the Lock is of sample 1\.0\.0/,
  ],
  ['with other blanks', (text: string) => ` ${text}`, /not written as slipway writes it/],
] as const) {
  test(`a manifest ${what} is noticed, though it lists what the Lock needs (R0-86)`, async (t) => {
    const sample = sampleLock();
    const to = await destination(t, 'folder');
    await createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t));
    const path = join(to.path, 'slipway/bundle.json');
    await writeFile(path, change(await readFile(path, 'utf8')));

    await assert.rejects(openBundle(to.path, testRun(t)), {
      code: 'BUNDLE_MISMATCH',
      message: why,
    });
  });
}

test('a bundle of a newer slipway is refused by its format, whatever else is in it', async (t) => {
  const sample = sampleLock();
  const to = await destination(t, 'folder');
  await createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t));
  await writeFile(join(to.path, 'slipway/bundle.json'), '{"formatVersion": 2, "new": true}');

  await assert.rejects(openBundle(to.path, testRun(t)), { code: 'BUNDLE_TOO_NEW' });
});

test('two processes cannot make one bundle at the same time (P5)', async (t) => {
  const sample = sampleLock();
  const to = await destination(t, 'tar');
  const sources = new SampleSources(sample);
  const second: Promise<unknown>[] = [];
  const openFile = async (url: string) => {
    second.push(createBundle(recipeOf(sampleLock('two')), sources, to, testRun(t)));
    await Promise.allSettled(second);
    return sources.openFile(url);
  };
  const repositoryOf = sources.repositoryOf.bind(sources);

  await createBundle(recipeOf(sample), { openFile, repositoryOf }, to, testRun(t));

  await assert.rejects(second[0] ?? Promise.resolve(), { code: 'STORE_LOCKED' });
  await using bundle = await openBundle(to.path, testRun(t));
  assert.deepEqual(bundle.lock, sample.lock);
});

test('a bundle that claims to be for others, against its Lock, is refused (R0-29)', async (t) => {
  const sample = sampleLock();
  const [image] = sample.lock.spec.images;
  assert.ok(image);
  image.redistribution = 'own-use-only';
  const own = { ...sample, lockText: `${canonicalJson(sample.lock, 1)}\n` };
  const to = await destination(t, 'folder');
  const recipe = { ...recipeOf(own), purpose: 'own-use' } as const;
  await createBundle(recipe, new SampleSources(own), to, testRun(t));
  const path = join(to.path, 'slipway/bundle.json');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"own-use"', '"redistribution"'));

  await assert.rejects(openBundle(to.path, testRun(t)), {
    code: 'BUNDLE_MISMATCH',
    message: /the Lock forbids it for cr\.openfuyao\.cn\/openfuyao\/app:v1/,
  });
});

test('a Lock whose file would lie outside of the bundle writes nothing (P5)', async (t) => {
  const sample = sampleLock();
  const [file] = sample.lock.spec.files;
  assert.ok(file);
  file.version = '../../../evil';
  const to = await destination(t, 'folder');

  await assert.rejects(createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t)), {
    code: 'BUNDLE_PATH_UNSAFE',
  });
});

for (const kind of ['folder', 'tar'] as const) {
  test(`${kind}: a disk with too little room is told before anything moves, and nothing is made`, async (t) => {
    const sample = sampleLock();
    const sources = new SampleSources(sample);
    const asked: string[] = [];
    const freeBytes = async (folder: string) => {
      asked.push(folder);
      return 1_500_000_000;
    };
    const blob = sample.lock.spec.images[0]?.platforms[0]?.layers[1];
    assert.ok(blob);
    blob.size = 3_000_000_000;
    const to = { ...(await destination(t, kind)), freeBytes };

    await assert.rejects(createBundle(recipeOf(sample), sources, to, testRun(t)), {
      code: 'DISK_TOO_SMALL',
      message: /needs 3\.0 GB more, and the disk of .* has 1\.5 GB free/,
    });

    const folder = dirname(to.path);
    assert.deepEqual([sources.asked, asked, await readdir(folder)], [[], [folder], []]);
  });
}

test('a matrix that is not the one of the Lock makes no bundle (R0-86, R0-108)', async (t) => {
  const sample = sampleLock();
  sample.lock.spec.kubernetes = 'v1.28.8';
  sample.lock.spec.matrix = { version: 'v1.28.8', digest: digestOf('the matrix of then') };
  const sources = new SampleSources(sample);
  const to = await destination(t, 'folder');
  const recipe = { ...recipeOf(sample), matrixText: 'the matrix of now' };

  await assert.rejects(createBundle(recipe, sources, to, testRun(t)), {
    code: 'BUNDLE_MISMATCH',
    message: /the Lock was made with another matrix of Kubernetes v1\.28\.8/,
  });

  assert.deepEqual(sources.asked, []);
});

test('a whole bundle with another matrix than its Lock was made with is not opened (R0-86)', async (t) => {
  const sample = sampleLock();
  sample.lock.spec.kubernetes = 'v1.28.8';
  sample.lock.spec.matrix = { version: 'v1.28.8', digest: digestOf('the matrix of then') };
  const { lock } = sample;
  const recipe = recipeOf({ ...sample, lockText: `${canonicalJson(lock, 1)}\n` });
  const { entries } = bundleContents({ ...recipe, matrixText: 'the matrix of now' });
  const { path } = await destination(t, 'folder');
  await using sink = await openFolderSink(path, entries, testRun(t));
  for (const entry of entries) {
    const bytes = entry.kind === 'written' ? entry.bytes : bytesOfSample(sample, entry);
    await sink.write(entry, bytesOf(bytes), testRun(t));
  }
  await sink.publish(testRun(t));

  await assert.rejects(openBundle(path, testRun(t)), {
    code: 'BUNDLE_MISMATCH',
    message: /the Lock was made with another matrix of Kubernetes v1\.28\.8/,
  });
});

test('a name that a dead link has is taken, and that is said before anything is fetched', async (t) => {
  const sample = sampleLock();
  const sources = new SampleSources(sample);
  const to = await destination(t, 'tar');
  await symlink('nowhere', to.path);

  await assert.rejects(createBundle(recipeOf(sample), sources, to, testRun(t)), {
    code: 'BUNDLE_EXISTS',
  });

  assert.deepEqual([sources.asked, await readdir(dirname(to.path))], [[], ['sample.tar']]);
});

test('the root of the disk is no place for a bundle, and nothing is walked or made there', async (t) => {
  const sample = sampleLock();
  const to = { path: '/', openSink: openFolderSink };

  await assert.rejects(createBundle(recipeOf(sample), new SampleSources(sample), to, testRun(t)), {
    code: 'BUNDLE_EXISTS',
  });

  assert.ok(!(await readdir('/')).some((name) => name.startsWith('.partial')));
});
