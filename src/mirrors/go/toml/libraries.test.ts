import assert from 'node:assert/strict';
import test from 'node:test';
import {
  latin1Cases,
  type TomlLibrary,
  tomlCases,
  tomlLibraries,
} from '../../../../test/support/toml-cases.ts';
import { readBurntSushi } from './burnt-sushi.ts';
import { readGoToml1 } from './go-toml-1.ts';
import { readGoToml2 } from './go-toml-2.ts';

const read: Readonly<Record<TomlLibrary, (bytes: Uint8Array) => ReturnType<typeof readGoToml1>>> = {
  'bs 1.5': (bytes) => readBurntSushi(bytes, '1.0'),
  'bs 1.6': (bytes) => readBurntSushi(bytes, '1.1'),
  v1: readGoToml1,
  'v2.2': (bytes) => readGoToml2(bytes, { version: '2.2', isRead: () => true }),
  'v2.3': (bytes) => readGoToml2(bytes, { version: '2.3', isRead: () => true }),
  'v2.4': (bytes) => readGoToml2(bytes, { version: '2.4', isRead: () => true }),
};

const cases = [
  ...tomlCases.map(([claim, text, readBy]) => ({ claim, readBy, bytes: Buffer.from(text) })),
  ...latin1Cases.map(([claim, text, readBy]) => {
    return { claim, readBy, bytes: Buffer.from(text, 'latin1') };
  }),
];
for (const { claim, readBy, bytes } of cases) {
  test(`${claim}: read by ${readBy.join(', ') || 'nobody'}`, () => {
    const readers = tomlLibraries.filter((library) => read[library](bytes).ok);

    assert.deepEqual(
      readers,
      tomlLibraries.filter((library) => readBy.includes(library)),
    );
  });
}

test('a value that nobody wants is judged by its form only (go-toml 2)', () => {
  const isRead = ([name]: readonly string[]) => name === 'known';
  const readers = (text: string) =>
    (['2.2', '2.3', '2.4'] as const).filter(
      (version) => readGoToml2(Buffer.from(text), { version, isRead }).ok,
    );

  assert.deepEqual(readers('x = 2026-02-30\n'), ['2.2', '2.3', '2.4']);
  assert.deepEqual(readers('x = [0xffffffffffffffff]\n'), ['2.2', '2.3', '2.4']);
  assert.deepEqual(readers('x = 1__0\n'), ['2.2', '2.3']);
  assert.deepEqual(readers('x = 01\n'), []);
  assert.deepEqual(readers('known = 2026-02-30\n'), []);
});

test('what goes deeper than we follow is said to be that, at any depth, in every library', () => {
  const deep = [
    `[${Array(100_000).fill('a').join('.')}]\n`,
    `a = ${'['.repeat(100_000)}\n`,
    `a = ${'{a='.repeat(100_000)}\n`,
    `${Array(100_000).fill('a').join('.')} = 1\n`,
  ];
  for (const text of deep) {
    for (const library of tomlLibraries) {
      const reading = read[library](Buffer.from(text));

      assert.equal(!reading.ok && reading.kind, 'too-deep', `${library}: ${text.slice(0, 10)}`);
    }
  }
});

test('the names that objects have are keys like others', () => {
  const text = '__proto__ = 1\nconstructor.toString = 2\n[valueOf]\n';
  for (const library of tomlLibraries) {
    const reading = read[library](Buffer.from(text));

    const names = reading.ok ? Object.keys(reading.value) : [];
    assert.deepEqual(names, ['__proto__', 'constructor', 'valueOf'], library);
  }
});

test('whole numbers are told from floats, and long texts from their quotes', () => {
  const text = 'a = 3\nb = 3.0\nc = """\nx\\\n   y"""\nd = [0x10]\n';
  for (const library of tomlLibraries) {
    const reading = read[library](Buffer.from(text));

    assert.deepEqual(reading.ok && reading.value, { a: 3n, b: 3, c: 'xy', d: [16n] }, library);
  }
});
