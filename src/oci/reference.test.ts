import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseKubeletImage } from './dialects/kubelet.ts';
import { parseAnyReference, parseWithoutDefaults } from './dialects/plain.ts';
import { digestOf } from './digest.ts';
import {
  containerdRegistryKey,
  familiarName,
  formatReference,
  parseReference,
  pullReference,
  type Reference,
  repositoryName,
} from './reference.ts';
import { isDomain, isImageId } from './reference-grammar.ts';

const digest = digestOf('');

test('a name without a registry is completed as on Docker Hub', () => {
  assert.deepEqual(parseReference('nginx'), { domain: 'docker.io', path: 'library/nginx' });
  assert.deepEqual(parseReference('index.docker.io/a:1'), {
    domain: 'docker.io',
    path: 'library/a',
    tag: '1',
  });
});

test('text before a colon is no registry unless a slash follows', () => {
  assert.deepEqual(parseReference('localhost:5000'), {
    domain: 'docker.io',
    path: 'library/localhost',
    tag: '5000',
  });
  assert.equal(parseReference('localhost:5000/a').domain, 'localhost:5000');
});

test('a host with an underscore leaves the domain empty, but containerd goes there', () => {
  const reference = parseReference('registry_1.example.com/a');

  assert.equal(reference.domain, '');
  assert.equal(containerdRegistryKey(reference), 'registry_1.example.com');
});

test('what containerd pulls has a tag or a digest, never both', () => {
  const pulled = (text: string) => formatReference(pullReference(parseReference(text)));

  assert.equal(pulled('a'), 'docker.io/library/a:latest');
  assert.equal(pulled(`a:1@${digest}`), `docker.io/library/a@${digest}`);
});

test('library/ stays in the short form when it has folders below', () => {
  assert.equal(familiarName(parseReference('library/a/b')), 'library/a/b');
});

test('a shortened digest is an error about the digest', () => {
  assert.throws(() => parseReference(`a@sha256:${'a'.repeat(40)}`), {
    code: 'REFERENCE_INVALID',
    data: { text: `a@sha256:${'a'.repeat(40)}`, reason: 'invalid checksum digest length' },
  });
});

test('a very long text is refused quickly', { timeout: 5000 }, () => {
  for (const text of ['a'.repeat(200_000), 'a-'.repeat(100_000), `${'a.'.repeat(100_000)}/b`]) {
    assert.throws(() => parseReference(`${text}!`), { code: 'REFERENCE_INVALID' });
  }
});

const letters = (characters: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max });
const word = letters('ab01', 1, 4);
const joined = (separators: string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...separators), word), { maxLength: 2 })
    .chain((rest) => word.map((first) => first + rest.flat().join('')));
const path = fc
  .array(joined(['.', '_', '__', '-', '---']), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));
const host = fc.oneof(
  fc.tuple(word, word).map((labels) => labels.join('.')),
  fc.constantFrom('localhost', 'Host', '[fd00::1]', '10.0.0.1'),
);
const port = fc.oneof(
  fc.constant(''),
  fc.nat(99_999).map((number) => `:${number}`),
);
const tag = fc
  .tuple(letters('aZ0_', 1, 1), letters('aZ0_.-', 0, 127))
  .map((parts) => parts.join(''));
const extras = fc.record(
  { tag, digest: fc.constantFrom(digest, digestOf('', 'sha512')) },
  { requiredKeys: [] },
);
const reference: fc.Arbitrary<Reference> = fc
  .tuple(host, port, path, extras)
  .map(([name, number, path, rest]) => ({ domain: name + number, path, ...rest }));

test('whatever is written is read back as the same reference', () => {
  fc.assert(
    fc.property(reference, (value) => {
      assert.deepEqual(parseReference(formatReference(value)), value);
      assert.deepEqual(parseWithoutDefaults(formatReference(value)), value);
    }),
  );
});

const hubReference = fc
  .tuple(path, extras)
  .map(([path, rest]) => parseReference(formatReference({ domain: 'docker.io', path, ...rest })));

test('the short form means the same as the full form', () => {
  // A first component such as "a.b" would be a registry in the short form.
  const value = hubReference.filter(({ path }) => !/^[^/]*\.[^/]*\//.test(path));
  fc.assert(
    fc.property(value, (value) => {
      assert.deepEqual(parseReference(familiarName(value)), value);
    }),
  );
});

test('completing a reference twice changes nothing', () => {
  fc.assert(
    fc.property(reference, (value) => {
      const once = pullReference(value);
      assert.deepEqual(pullReference(once), once);
      assert.deepEqual(parseReference(formatReference(once)), once);
    }),
  );
});

test('the kubelet sees the same repository, and latest only without tag and digest', () => {
  fc.assert(
    fc.property(reference, (value) => {
      const image = parseKubeletImage(formatReference(value));

      assert.equal(image.repo, repositoryName(value));
      assert.equal(image.digest, value.digest ?? '');
      assert.equal(image.tag === 'latest', value.tag === undefined && value.digest === undefined);
    }),
  );
});

test('arbitrary text is a reference or REFERENCE_INVALID, nothing else', () => {
  const text = fc.oneof(fc.string(), letters('aA0.:/@-_[]% ', 0, 20));
  fc.assert(
    fc.property(text, (text) => {
      try {
        assert.deepEqual(
          parseReference(formatReference(parseReference(text))),
          parseReference(text),
        );
      } catch (error) {
        assert.equal(error instanceof Error && error.name, 'REFERENCE_INVALID');
      }
    }),
  );
});

test('64 hex digits are an image id and no name', () => {
  const id = digest.slice('sha256:'.length);

  assert.equal(isImageId(id), true);
  assert.equal(parseAnyReference(id), digest);
  assert.equal(parseAnyReference(digest), digest);
  assert.throws(() => parseReference(id), /cannot specify 64-byte hexadecimal strings/);
});

test('a domain may be an address and have a port, but no underscore', () => {
  for (const text of ['a', 'A.b:0', '[::1]:5000']) assert.equal(isDomain(text), true, text);
  for (const text of ['a_b', 'a.', '-a', '::1', 'a:b', ''])
    assert.equal(isDomain(text), false, text);
});
