import assert from 'node:assert/strict';
import test from 'node:test';
import { collectDocuments } from '../documents/read-documents.ts';
import { digestOf } from '../oci/digest.ts';
import type { Lock } from './lock.ts';
import { formatLock, lockKind, readLock } from './lock-document.ts';

const blob = (content: string) => ({
  digest: digestOf(content),
  size: content.length,
  mediaType: 'a/b',
});
const reason = (line: number) => ({
  component: 'tools',
  because: 'listed in images',
  file: 'release.yaml',
  ...{ line, column: 5 },
});

function image(name: string): Lock['spec']['images'][number] {
  const platform = (text: string) => ({
    platform: text,
    manifest: blob(`manifest ${text}`),
    config: blob('config'),
    layers: [blob('zz'), blob('aa')],
  });
  return {
    name,
    class: 'self-built',
    redistribution: 'allowed',
    source: { registry: 'quay.io', repository: 'a/b', reference: '1' },
    movingTag: false,
    target: blob('index'),
    sparse: false,
    platforms: [platform('linux/arm64'), platform('linux/amd64')],
    reasons: [reason(9), reason(3)],
  };
}

function lockOf(names: readonly string[], images = names.length): Lock {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Lock',
    metadata: { name: 'a', version: '1.30' },
    spec: {
      madeFrom: { release: digestOf('release') },
      runtime: { k3s: 'v1.28.8+k3s1', containerd: 'v2.1.1' },
      platforms: ['linux/amd64', 'linux/arm64'],
      totals: { images, charts: 0, files: 0, bytes: 4, uniqueBytes: 4 },
      images: names.map(image),
      charts: [],
      files: [],
    },
  };
}

test('a Lock is read back as it was written', () => {
  const text = formatLock(lockOf(['quay.io/a/b:1']));

  assert.equal(formatLock(readLock(text, 'a.lock.yaml')), text);
});

test('the order in which a Lock was put together does not change its bytes (P9)', () => {
  const names = ['quay.io/z:1', 'quay.io/a/b:1'];

  const text = formatLock(lockOf(names));

  assert.equal(formatLock(lockOf(names.toReversed())), text);
  const read = readLock(text, 'a.lock.yaml').spec;
  assert.deepEqual(
    read.images.map(({ name }) => name),
    ['quay.io/a/b:1', 'quay.io/z:1'],
  );
  assert.deepEqual(Object.keys(read.runtime ?? {}), ['containerd', 'k3s']);
  assert.deepEqual(
    read.images[0]?.platforms.map(({ platform }) => platform),
    ['linux/amd64', 'linux/arm64'],
  );
  assert.deepEqual(
    read.images[0]?.reasons.map(({ line }) => line),
    [3, 9],
  );
});

test('the layers of an image keep their order, which is part of the image', () => {
  const [read] = readLock(formatLock(lockOf(['quay.io/a/b:1'])), 'a.lock.yaml').spec.images;

  assert.deepEqual(
    read?.platforms[0]?.layers.map(({ digest }) => digest),
    [digestOf('zz'), digestOf('aa')],
  );
});

test('a Lock that was cut short or edited is refused', () => {
  const short = formatLock(lockOf(['quay.io/a/b:1'], 2));
  const twice = formatLock(lockOf(['quay.io/a/b:1', 'quay.io/a/b:1']));

  assert.throws(() => readLock(short, 'a.lock.yaml'), {
    code: 'DOCUMENT_INVALID',
    message: /states 2 images but lists 1/,
  });
  assert.throws(() => readLock(twice, 'a.lock.yaml'), {
    message: /"quay.io\/a\/b:1" is listed twice/,
  });
});

const twice: ReadonlyArray<readonly [claim: string, text: string]> = [
  [
    'an image with and without its digest',
    edited({
      images: [
        image('quay.io/a/b:1'),
        { ...image(`quay.io/a/b:1@${digestOf('index')}`), target: blob('index') },
      ],
    }),
  ],
  ['a chart', edited({ charts: [chart(), chart()] })],
  ['a file', edited({ files: [file(), file({ version: 'v5' })] })],
];

for (const [claim, text] of twice) {
  test(`a Lock in which something stands twice is refused: ${claim}`, () => {
    assert.match(problemsOf(text).join('\n'), /^LOCK_INCONSISTENT ".+" is listed twice$/);
  });
}

test('a sandbox image that is not in the Lock is refused', () => {
  const images = [image('quay.io/a/b:1')];

  assert.deepEqual(problemsOf(edited({ images, sandbox: 'quay.io/a/b:1' })), []);
  assert.deepEqual(problemsOf(edited({ images, sandbox: 'quay.io/a/pause:1' })), [
    'LOCK_INCONSISTENT the sandbox image "quay.io/a/pause:1" is not among the images',
  ]);
});

test('an image that is locked to another digest than its name says is refused (P1)', () => {
  const text = formatLock(lockOf([`quay.io/a/b:1@${digestOf('something else')}`]));

  assert.throws(() => readLock(text, 'a.lock.yaml'), {
    message: /is not what "quay.io\/a\/b:1@sha256:.*" names/,
  });
});

function file(changes: Partial<Lock['spec']['files'][number]> = {}): Lock['spec']['files'][number] {
  return {
    name: 'helm',
    version: 'v4.3.1',
    platform: 'linux/amd64',
    url: 'http://a/b',
    mode: '0644',
    blob: blob('x'),
    reasons: [reason(1)],
    ...changes,
  };
}

function chart(changes: Partial<Lock['spec']['charts'][number]> = {}) {
  const { class: owner, redistribution, source, reasons } = image('quay.io/charts/m:1');
  return {
    name: 'quay.io/charts/m:1.0.0',
    version: '1.0.0',
    class: owner,
    redistribution,
    source,
    manifest: blob('chart'),
    config: blob('config'),
    layers: [blob('archive')],
    reasons,
    ...changes,
  };
}

/** The text of a Lock that its own writer would refuse, as somebody may have edited it. */
function edited(spec: Partial<Lock['spec']>, metadata: Partial<Lock['metadata']> = {}): string {
  const { images = [], charts = [], files = [] } = spec;
  const totals = { images: images.length, charts: charts.length, files: files.length };
  const lock = lockOf([]);
  return JSON.stringify({
    ...lock,
    metadata: { ...lock.metadata, ...metadata },
    spec: { ...lock.spec, totals: { ...lock.spec.totals, ...totals }, ...spec },
  });
}

function problemsOf(text: string): string[] {
  const { problems } = collectDocuments([{ file: 'a.lock.yaml', content: text }], [lockKind]);
  return problems.map(({ code, message }) => `${code} ${message}`);
}

const outside = '../../../../evil';
const imageWith = (changes: Partial<Lock['spec']['images'][number]>) =>
  edited({ images: [{ ...image('quay.io/a/b:1'), ...changes }] });
const source = { registry: 'quay.io', repository: 'a/b', reference: '1' };
const [amd64] = image('quay.io/a/b:1').platforms;

const unsafe: ReadonlyArray<readonly [claim: string, text: string, code: string]> = [
  ['the name of a file', edited({ files: [file({ name: outside })] }), 'DOC_BAD_VALUE'],
  ['the version of a file', edited({ files: [file({ version: outside })] }), 'DOC_BAD_VALUE'],
  ['two dots in a version', edited({ files: [file({ version: '1..2' })] }), 'DOC_BAD_VALUE'],
  ['a version that is hidden', edited({ files: [file({ version: '.x' })] }), 'DOC_BAD_VALUE'],
  ['the platform of a file', edited({ files: [file({ platform: '../x' })] }), 'PLATFORM_INVALID'],
  [
    'a variant of dots',
    edited({ files: [file({ platform: 'linux/arm/..' })] }),
    'PLATFORM_INVALID',
  ],
  ['a platform of the Lock', edited({ platforms: [outside] }), 'PLATFORM_INVALID'],
  ['the name of the Release', edited({}, { name: outside }), 'DOC_BAD_VALUE'],
  ['the version of the Release', edited({}, { version: outside }), 'DOC_BAD_VALUE'],
  [
    'the version of the matrix',
    edited({ matrix: { version: outside, digest: digestOf('x') } }),
    'DOC_BAD_VALUE',
  ],
  ['the version of a chart', edited({ charts: [chart({ version: outside })] }), 'DOC_BAD_VALUE'],
  [
    'the name of a chart',
    edited({ charts: [chart({ name: outside })] }),
    'IMAGE_REFERENCE_INVALID',
  ],
  ['an image without a registry', imageWith({ name: 'pause:3.9' }), 'IMAGE_REFERENCE_INVALID'],
  ['an image without a tag', imageWith({ name: 'quay.io/a/b' }), 'IMAGE_REFERENCE_INVALID'],
  [
    'a registry with a path',
    imageWith({ source: { ...source, registry: 'quay.io/a' } }),
    'IMAGE_REFERENCE_INVALID',
  ],
  [
    'a repository that leaves its place',
    imageWith({ source: { ...source, repository: 'a/../b' } }),
    'IMAGE_REFERENCE_INVALID',
  ],
  [
    'a reference that leaves its place',
    imageWith({ source: { ...source, reference: '../b' } }),
    'IMAGE_REFERENCE_INVALID',
  ],
  [
    'the platform of an image',
    imageWith({ platforms: amd64 === undefined ? [] : [{ ...amd64, platform: 'linux' }] }),
    'PLATFORM_INVALID',
  ],
];

for (const [claim, text, code] of unsafe) {
  test(`a Lock is refused for a text that is no name: ${claim}`, () => {
    assert.deepEqual(
      problemsOf(text).map((problem) => problem.split(' ')[0]),
      [code],
    );
  });
}

test('what the cases above alter is right as it is', () => {
  const whole = { images: [image('quay.io/a/b:1')], charts: [chart()], files: [file()] };

  assert.deepEqual(problemsOf(edited(whole)), []);
});

test('a second Lock in the file is refused', () => {
  const text = formatLock(lockOf(['quay.io/a/b:1']));

  assert.throws(() => readLock(`${text}---\n${text}`, 'a.lock.yaml'), { message: /second Lock/ });
});

test('an edited line is reported with its place in the file', () => {
  const text = formatLock(lockOf(['quay.io/a/b:1'])).replace('movingTag: false', 'movingTag: no');

  assert.throws(
    () => readLock(text, 'a.lock.yaml'),
    (error: Error & { data: { problems: { line: number; code: string }[] } }) => {
      const line = text.split('\n').findIndex((each) => each.includes('movingTag')) + 1;
      assert.deepEqual(
        error.data.problems.map((each) => [each.line, each.code]),
        [[line, 'DOC_WRONG_TYPE']],
      );
      return true;
    },
  );
});
