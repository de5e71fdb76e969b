/**
 * Odd TOML, read by the libraries of containerd, podman and CRI-O and by us: the same texts are refused,
 * and the others have the same value. Needs Go.
 *
 * A fixed seed; SLIPWAY_SEED=random (or a number) and SLIPWAY_RUNS=200000 make it the long form.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { TomlValue } from '../../../src/documents/toml.ts';
import { readBurntSushi } from '../../../src/mirrors/go/toml/burnt-sushi.ts';
import { readGoToml1 } from '../../../src/mirrors/go/toml/go-toml-1.ts';
import { readGoToml2 } from '../../../src/mirrors/go/toml/go-toml-2.ts';
import { latin1Cases, type TomlLibrary, tomlCases } from '../../support/toml-cases.ts';
import { runOptions } from '../run-options.ts';
import { type GoLibrary, goAnswers } from './go-library.ts';
import { oddTexts } from './odd-texts.ts';

const { seed, count: runs, isUsual } = runOptions({ count: 20000 });

type Reading = { readonly ok: true; readonly value: TomlValue } | { readonly ok: false };

interface Library {
  readonly name: GoLibrary;
  readonly short: TomlLibrary;
  readonly read: (bytes: Uint8Array) => Reading;
}

const isRead = () => true;
const libraries: readonly Library[] = [
  { name: 'burntsushi-1.5', short: 'bs 1.5', read: (bytes) => readBurntSushi(bytes, '1.0') },
  { name: 'burntsushi-1.6', short: 'bs 1.6', read: (bytes) => readBurntSushi(bytes, '1.1') },
  { name: 'go-toml-1.9', short: 'v1', read: readGoToml1 },
  ...(['2.2', '2.3', '2.4'] as const).map((version): Library => {
    const read = (bytes: Uint8Array) => readGoToml2(bytes, { version, isRead });
    return { name: `go-toml-${version}`, short: `v${version}`, read };
  }),
];

for (const { name, short, read } of libraries) {
  test(`${name} and we read ${runs} odd texts alike (seed ${seed})`, async (t) => {
    const texts = fc.sample(oddTexts, { seed, numRuns: runs });
    const theirs = await goAnswers(name, texts);

    const differences = texts.flatMap((bytes, index) => {
      const reading = read(bytes);
      const ours = reading.ok ? reading.value : undefined;
      return isDeepStrictEqual(ours, theirs[index]) ? [] : [shown(bytes, theirs[index], ours)];
    });

    differences.sort((a, b) => a.length - b.length);
    assert.equal(differences.slice(0, 5).join('\n'), '', `${differences.length} differences`);
    const accepted = theirs.filter((value) => value !== undefined).length;
    t.diagnostic(`${accepted} of ${runs} texts are read`);
    if (isUsual) assert.ok(accepted > runs / 5 && accepted < runs / 2, `${accepted} are read`);
    await t.test('and the cases of the unit tests are true', async () => {
      const cases = [
        ...tomlCases.map(([claim, text, by]) => ({ claim, by, bytes: Buffer.from(text) })),
        ...latin1Cases.map(([claim, text, by]) => {
          return { claim, by, bytes: Buffer.from(text, 'latin1') };
        }),
      ];
      const answers = await goAnswers(
        name,
        cases.map(({ bytes }) => bytes),
      );
      for (const [index, { claim, by }] of cases.entries()) {
        assert.equal(answers[index] !== undefined, by.includes(short), claim);
      }
    });
  });
}

function shown(bytes: Buffer, theirs: unknown, ours: unknown): string {
  const json = (value: unknown) =>
    JSON.stringify(value, (_, item: unknown) =>
      typeof item === 'bigint' || typeof item === 'number' ? String(item) : item,
    );
  return `${JSON.stringify(bytes.toString('latin1'))}\nlibrary: ${json(theirs)}\nours:    ${json(ours)}`;
}
