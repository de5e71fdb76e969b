/**
 * Durations, paths, patterns, hosts, base64 and quoted texts, as Go's standard library and as we read them. Needs
 * Go; run with `node --test test/oracles/go/values.test.ts`.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { decodeGoBase64 } from '../../../src/mirrors/go/go-base64.ts';
import { parseGoDuration } from '../../../src/mirrors/go/go-duration.ts';
import { compileGlob } from '../../../src/mirrors/go/go-glob.ts';
import { cleanPath } from '../../../src/mirrors/go/go-path.ts';
import { splitHostPort } from '../../../src/mirrors/go/host-port.ts';
import { quoteGo } from '../../../src/oci/dialects/go-quote.ts';
import { toBytes } from '../../../src/oci/go-url/bytes.ts';
import { runOptions } from '../run-options.ts';
import { askGo, type GoAnswer, type GoQuestion } from './ask-go.ts';

const { seed, count, isUsual } = runOptions({ count: 3000 });

const made = (units: readonly string[], maxLength = 8) =>
  fc.string({ unit: fc.constantFrom(...units), maxLength });

interface Subject {
  readonly kind: GoQuestion['kind'];
  readonly texts: fc.Arbitrary<string>;
  readonly ours: (text: string) => GoAnswer;
  /** What of Go's answer is compared; all of it by default. */
  readonly theirs?: (answer: GoAnswer, text: string) => GoAnswer;
}

const subjects: readonly Subject[] = [
  {
    kind: 'duration',
    texts: made(
      [...'01359.+-', 'ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h', 'd', ' ', 'e', '²'],
      6,
    ),
    ours: (text) => {
      const found = parseGoDuration(text);
      return {
        texts: found === undefined ? [] : [String(Math.round(found * 1e6))],
      };
    },
    theirs: ({ error, texts }) => ({ texts: error === undefined ? texts : [] }),
  },
  {
    kind: 'clean path',
    texts: made(['/', '.', '..', 'a', 'ä', ' ', '\\']),
    ours: (text) => ({ texts: [toBytes(cleanPath(text))] }),
  },
  {
    kind: 'host and port',
    texts: made(['h', ':', '[', ']', '::1', '5000', '%', 'é', ''], 4),
    ours: (text) => {
      const { host, port } = splitHostPort(text);
      return { texts: [toBytes(host), toBytes(port)] };
    },
    // Where Go has an error its callers take the whole text for the host.
    theirs: ({ error, texts }, text) => ({
      texts: error === undefined ? texts : [toBytes(text), ''],
    }),
  },
  {
    kind: 'base64',
    texts: made([...'ABz09+/=', '=', '=', '\n', '\r', ' ', '-', 'é', 'AAAA'], 9),
    ours: (text) => {
      const found = decodeGoBase64(text);
      if (!found.ok) return { error: found.reason, texts: [] };
      return { texts: [found.bytes.toString('latin1')] };
    },
  },
  {
    kind: 'quote',
    // Letters that came with Unicode 15.1 or later are unknown to Go yet.
    texts: made([
      ...'a"\\`\'é版ßſ🐳',
      '\0',
      '\x1f',
      '\x7f',
      '\x80',
      '\u200b',
      '\u{10ffff}',
      '\u0301',
      '\ufffd',
    ]),
    ours: (text) => ({ texts: [toBytes(quoteGo(text))] }),
  },
];

for (const { kind, texts: arbitrary, ours, theirs = (answer: GoAnswer) => answer } of subjects) {
  test(`Go and we read ${count} texts alike: ${kind}, seed ${seed}`, async () => {
    const texts = fc.sample(arbitrary, { numRuns: count, seed });
    const answers = await askGo(texts.map((text) => ({ kind, text })));

    const different = texts.flatMap((text, index) => {
      const pair = [ours(text), theirs(answers[index] ?? { texts: [] }, text)];
      return JSON.stringify(pair[0]) === JSON.stringify(pair[1]) ? [] : [{ text, pair }];
    });

    assert.deepEqual(different.slice(0, 6), [], `${different.length} differ`);
    if (isUsual) assert.ok(answers.some(({ texts: found }) => found.join('') !== ''));
  });
}

test(`Go and we match ${count} patterns alike, seed ${seed}`, async () => {
  const pattern = made([...'a-]^[*?\\/', '[a-', 'é', 'z', '\u{1F433}', '[^', '.']);
  const name = made([...'a-]^[*?\\', 'é', 'z', '\u{1F433}', '.'], 4);
  const pairs = fc.sample(fc.tuple(pattern, name), { numRuns: count, seed });
  const answers = await askGo(pairs.map(([text, one]) => ({ kind: 'match', text, name: one })));

  const different = pairs.flatMap(([text, one], index) => {
    const ours = String(compileGlob(text)?.test(one) ?? 'syntax error in pattern');
    const { error, texts = [] } = answers[index] ?? {};
    // Go notices a fault only when a name matches up to there; we say it of the pattern.
    const isSame =
      ours === (error ?? texts[0]) || (ours.startsWith('syntax') && texts[0] === 'false');
    return isSame ? [] : [{ text, name: one, ours, error, texts }];
  });

  assert.deepEqual(different.slice(0, 6), [], `${different.length} differ`);
  if (isUsual) assert.ok(answers.some(({ texts: [found] }) => found === 'true'));
});
