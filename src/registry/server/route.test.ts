import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../../oci/digest.ts';
import { Refusal } from './refusal.ts';
import { isRepositoryName, isTag, parseRoute } from './route.ts';

const digest = digestOf('a');
const escaped = digest.replace(':', '%3A');
const tag = (text: string) => ({ kind: 'tag', tag: text });

for (const [path, want] of [
  ['/v2/', { kind: 'base' }],
  ['/v2', { kind: 'base' }],
  ['/v2/_catalog', { kind: 'catalogue' }],
  ['/v2/a/tags/list', { kind: 'tags', repository: 'a' }],
  ['/v2/a/b/c/manifests/v1', { kind: 'manifest', repository: 'a/b/c', reference: tag('v1') }],
  [
    `/v2/a/manifests/${digest}`,
    { kind: 'manifest', repository: 'a', reference: { kind: 'digest', digest } },
  ],
  [
    `/v2/a/manifests/${escaped}`,
    { kind: 'manifest', repository: 'a', reference: { kind: 'digest', digest } },
  ],
  [
    '/v2/a/manifests/.x',
    { kind: 'manifest', repository: 'a', reference: { kind: 'invalid', text: '.x' } },
  ],
  [`/v2/a/blobs/${digest}`, { kind: 'blob', repository: 'a', digest }],
  [`/v2/a/referrers/${digest}`, { kind: 'referrers', repository: 'a', digest }],
  ['/v2/a/blobs/uploads/', { kind: 'uploads', repository: 'a' }],
  ['/v2/a/blobs/uploads', { kind: 'uploads', repository: 'a' }],
  ['/v2/a/blobs/uploads/1-2', { kind: 'upload', repository: 'a', id: '1-2' }],
  // Words of the API may be part of a repository's name.
  [
    '/v2/blobs/uploads/manifests/list',
    { kind: 'manifest', repository: 'blobs/uploads', reference: tag('list') },
  ],
  ['/v2/manifests/blobs/tags/list', { kind: 'tags', repository: 'manifests/blobs' }],
  ['/v2/tags/list/blobs/uploads/', { kind: 'uploads', repository: 'tags/list' }],
  ['/v2/a/blobs/sha256:..%2F..%2Fx', undefined],
  ['/v2/a/tags/other', undefined],
  ['/v2/a', undefined],
  ['/v2/a/b', undefined],
  ['/v1/a/tags/list', undefined],
  ['/', undefined],
  ['', undefined],
  ['*', undefined],
] as const) {
  test(`the path ${JSON.stringify(path)} is ${want?.kind ?? 'nothing'}`, () => {
    assert.deepEqual(parseRoute(path), want);
  });
}

for (const [path, code] of [
  ['/v2/../a/manifests/v1', 'NAME_INVALID'],
  ['/v2/a/../b/manifests/v1', 'NAME_INVALID'],
  ['/v2/a%2F..%2Fb/manifests/v1', 'NAME_INVALID'],
  ['/v2/a//b/manifests/v1', 'NAME_INVALID'],
  ['/v2//manifests/v1', 'NAME_INVALID'],
  ['/v2/A/manifests/v1', 'NAME_INVALID'],
  ['/v2/_tags/manifests/v1', 'NAME_INVALID'],
  ['/v2/a%00/manifests/v1', 'NAME_INVALID'],
  ['/v2/a%/manifests/v1', 'NAME_INVALID'],
  [`/v2/${'a'.repeat(256)}/manifests/v1`, 'NAME_INVALID'],
  ['/v2/a/blobs/sha256:ab', 'DIGEST_INVALID'],
  ['/v2/a/blobs/md5:d41d8cd98f00b204e9800998ecf8427e', 'DIGEST_INVALID'],
  ['/v2/a/referrers/v1', 'DIGEST_INVALID'],
  ['/v2/a/manifests/sha256:ab', 'DIGEST_INVALID'],
] as const) {
  test(`the path ${path.slice(0, 60)} is refused with ${code}`, () => {
    assert.throws(
      () => parseRoute(path),
      (error) => {
        assert.ok(error instanceof Refusal);
        assert.equal(error.status, 400);
        assert.equal(error.complaints[0]?.code, code);
        return true;
      },
    );
  });
}

test('names and tags follow the grammar of the specification', () => {
  for (const name of ['a', 'a/b', 'a.b_c__d-e---f/0', 'a'.repeat(255)]) {
    assert.equal(isRepositoryName(name), true, name);
  }
  for (const name of ['', '/', 'a/', '/a', 'a..b', 'a___b', '-a', 'a_', 'ä', 'a b', 'a\n']) {
    assert.equal(isRepositoryName(name), false, name);
  }
  for (const name of ['latest', '_', 'V1.2-x', '9'.repeat(128)]) assert.equal(isTag(name), true);
  for (const name of ['', '.a', '-a', 'a/b', 'a:b', 'a\n', '9'.repeat(129)]) {
    assert.equal(isTag(name), false, name);
  }
});

test('a long row of separators is refused about as fast as it would be taken', () => {
  const good = 'a-'.repeat(127).slice(0, -1);
  const bad = `${'a-'.repeat(126)}!`;
  const msFor = (name: string) => {
    const started = performance.now();
    for (let times = 0; times < 1000; times += 1) isRepositoryName(name);
    return performance.now() - started;
  };
  assert.deepEqual([isRepositoryName(good), isRepositoryName(bad)], [true, false]);
  msFor(good); // compiles the expression

  const [goodMs, badMs] = [msFor(good), msFor(bad)];

  // One that goes back and forth would take 2^126 steps.
  assert.ok(badMs < 100 * goodMs, `${badMs} ms against ${goodMs} ms`);
});
