import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../oci/digest.ts';
import type { Lock } from './lock.ts';
import { formatLock, readLock } from './lock-document.ts';

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
  const [read] = readLock(formatLock(lockOf(['a:1'])), 'a.lock.yaml').spec.images;

  assert.deepEqual(
    read?.platforms[0]?.layers.map(({ digest }) => digest),
    [digestOf('zz'), digestOf('aa')],
  );
});

test('a Lock that was cut short or edited is refused', () => {
  const short = formatLock(lockOf(['a:1'], 2));
  const twice = formatLock(lockOf(['a:1', 'a:1']));

  assert.throws(() => readLock(short, 'a.lock.yaml'), {
    code: 'DOCUMENT_INVALID',
    message: /states 2 images but lists 1/,
  });
  assert.throws(() => readLock(twice, 'a.lock.yaml'), { message: /"a:1" is listed twice/ });
});

test('an image that is locked to another digest than its name says is refused (P1)', () => {
  const text = formatLock(lockOf([`a:1@${digestOf('something else')}`]));

  assert.throws(() => readLock(text, 'a.lock.yaml'), {
    message: /is not what "a:1@sha256:.*" names/,
  });
});

test('a file name that leaves its folder is refused', () => {
  const file = {
    name: '../x',
    url: 'http://a/b',
    mode: '0644',
    blob: blob('x'),
    reasons: [reason(1)],
  };
  const lock = lockOf([]);

  assert.throws(
    () => formatLock({ ...lock, spec: { ...lock.spec, files: [file] } }),
    /plain file name/,
  );
});

test('a second Lock in the file is refused', () => {
  const text = formatLock(lockOf(['a:1']));

  assert.throws(() => readLock(`${text}---\n${text}`, 'a.lock.yaml'), { message: /second Lock/ });
});

test('an edited line is reported with its place in the file', () => {
  const text = formatLock(lockOf(['a:1'])).replace('movingTag: false', 'movingTag: no');

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
