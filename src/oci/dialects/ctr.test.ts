import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseCtrReference } from './ctr.ts';

for (const [text, host, path, object] of [
  ['nginx', 'nginx', 'nginx', ''],
  ['quay.io/a/b:1', 'quay.io', 'a/b', '1'],
  ['quay.io/a@sha256:12', 'quay.io', 'a', '@sha256:12'],
  ['quay.io//a/../b/', 'quay.io', 'b', ''],
  ['user:pw@Quay.io/a?x#y', 'Quay.io', 'a', ''],
  ['[fe80::1%25eth%300]:1/a', '[fe80::1%eth00]:1', 'a', ''],
  ['h%C3%A9.io/a%20b:1', 'hé.io', 'a b', '1'],
  ['a"<b>/c', 'a"<b>', 'c', ''],
  ['h.io/a%ffb', 'h.io', 'a\ufffdb', ''],
  ['镜像.cn/a:版本', '镜像.cn', 'a', '版本'],
] as const) {
  test(`ctr reads ${text}`, () => {
    assert.deepEqual(parseCtrReference(text), { host, path, object });
  });
}

for (const [text, reason] of [
  ['docker://nginx', 'invalid reference'],
  ['', 'hostname required'],
  ['/a', 'hostname required'],
  ['nginx:1.27', 'parse "dummy://nginx:1.27": invalid port ":1.27" after host'],
  ['[::1/a', 'parse "dummy://[::1/a": missing \']\' in host'],
  ['[::1]x/a', 'parse "dummy://[::1]x/a": invalid port "x" after host'],
  ['a b/c', 'parse "dummy://a b/c": invalid character " " in host name'],
  ['a\\b/c', 'parse "dummy://a\\\\b/c": invalid character "\\\\" in host name'],
  ['a%41/c', 'parse "dummy://a%41/c": invalid URL escape "%41"'],
  ['a%/c', 'parse "dummy://a%/c": invalid URL escape "%"'],
  ['a/b%zz', 'parse "dummy://a/b%zz": invalid URL escape "%zz"'],
  ['[fe80::1%25a%5C]/a', 'parse "dummy://[fe80::1%25a%5C]/a": invalid URL escape "%5C"'],
  ['a/b#%z', 'parse "dummy://a/b#%z": invalid URL escape "%z"'],
  ['a%版/b', 'parse "dummy://a%版/b": invalid URL escape "%\\xe7\\x89"'],
  ['ü@a/b', 'parse "dummy://ü@a/b": net/url: invalid userinfo'],
  ['a\u0007/"\u00a0', 'parse "dummy://a\\a/\\"\\u00a0": net/url: invalid control character in URL'],
] as const) {
  test(`ctr refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => parseCtrReference(text), {
      code: 'REFERENCE_INVALID',
      data: { text, reason },
    });
  });
}

test('arbitrary text gives a host or REFERENCE_INVALID', () => {
  const parts = fc.constantFrom('a', '%', '4', '1', '/', ':', '@', '[', ']', '?', '#', 'é', '.');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: parts })), (text) => {
      try {
        assert.notEqual(parseCtrReference(text).host, '');
      } catch (error) {
        assert.equal(error instanceof Error && error.name, 'REFERENCE_INVALID');
      }
    }),
  );
});
