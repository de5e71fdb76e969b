/**
 * Patterns and templates, compiled and replaced by Go's regexp package and by us: results and the texts of
 * errors must be the same. Needs Go; run with `node --test test/oracles/k3s/regexp.test.ts`.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compileGoRegexp } from '../../../src/mirrors/go/regexp/replace-all.ts';
import { runOptions } from '../run-options.ts';
import { askReaders } from './ask-readers.ts';

const { seed, count, isUsual } = runOptions({ count: 6000 });

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'x',
    '/',
    '-',
    '.',
    'ab',
    'k8s',
    '[a-c]',
    '[^/]',
    '[^a-c/]',
    '[]a]',
    '[a-]',
    '[-a]',
  ],
  ...[
    '\\d',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[\\d-]',
    '[\\w.]',
    '[[:alpha:]]',
    '[[:^digit:]_]',
    '[[:foo:]]',
  ],
  ...[
    '\\pL',
    '\\PN',
    '\\p{Greek}',
    '\\p{^Lu}',
    '\\p{Foo}',
    '[\\pN/]',
    '^',
    '$',
    '\\A',
    '\\z',
    '\\b',
    '\\B',
  ],
  ...[
    '\\Z',
    '\\1',
    '\\8',
    '\\.',
    '\\-',
    '\\_',
    '\\e',
    '\\x41',
    '\\x{62}',
    '\\x{110000}',
    '\\xg',
    '\\101',
  ],
  ...[
    '\\Qa.b\\E',
    '\\Qa',
    '\\E',
    '()',
    '(?:)',
    '{',
    '}',
    '{1',
    '{,2}',
    '(?i)A',
    '(?i:[A-C])',
    '(?-i)',
    '(?s).',
  ],
  ...[
    '(?m)^b',
    '(?U)a+',
    '(?i)\\w',
    '(?i)[^k]',
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?P=n)',
    '(?',
    '(?P<>',
    '(?#a)',
  ],
  ...[
    '[',
    '[a',
    '[z-a]',
    '[a\\',
    '\\',
    ')',
    '(',
    '*',
    '+',
    '?',
    '{2}',
    'ſ',
    'K',
    'é',
    '[^\\n]',
    '(?ism-U:a)',
  ],
  ...[
    '[[:word:]-z]',
    '[a-\\d]',
    '[\\Qa\\E]',
    '\\C',
    '\\p',
    '\\pé',
    '\\p{',
    '(?i-)',
    '(?--i)',
    '(?i)ſ',
    '|',
    '||',
  ],
);
const plainAtom = fc.constantFrom(
  ...[
    'a',
    'b',
    'x',
    '/',
    '.',
    'ab',
    '[a-c]',
    '[^/]',
    '[^a-c/]',
    '\\d',
    '\\w',
    '\\W',
    '(?i)A',
    '^',
    '$',
    '\\b',
    '()',
    '(?m)^',
  ],
);
const quantifier = fc.constantFrom(
  ...[
    '',
    '',
    '',
    '',
    '*',
    '+',
    '?',
    '*?',
    '+?',
    '??',
    '{2}',
    '{0,2}',
    '{1,}',
    '{2,3}?',
    '{0}',
    '{1}',
  ],
  ...['**', '+*', '{2}{3}', '{1001}', '{3,2}', '{01}', '{500}', '{999999999}'],
);
const plainQuantifier = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{0,2}',
  '{1,}',
  '{2,}?',
  '{1,3}',
);
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    { weight: 1, arbitrary: fc.tuple(atom, quantifier).map(([one, many]) => one + many) },
    { weight: 6, arbitrary: fc.tuple(plainAtom, plainQuantifier).map(([one, many]) => one + many) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom('(', '(?:', '(?P<n>', '(?<o>', '(?i:', '(?U:'),
          tie('pattern'),
          plainQuantifier,
        )
        .map(([open, inner, many]) => `${open}${inner})${many}`),
    },
  ),
  pattern: fc
    .tuple(fc.array(tie('piece'), { maxLength: 4 }), fc.boolean(), tie('piece'))
    .map(([all, isEither, more]) => all.join('') + (isEither ? `|${more}` : '')),
}));
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aabbcx/-.0K1'), maxLength: 12 }),
  fc.constantFrom('rancher/app', 'library/busybox', 'a.b/c', 'Ka\nb', 'Éſk8s', 'x--y', ''),
);
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are Go's templates
const template = fc.constantFrom(
  ...['x', '$1', '${1}', 'x/$1', '$0', '$n', '${n}-$o', '$1x', '$$', '$', '${', '${1', '$2-$3'],
  ...['\\1', '$é', '$01'],
);
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
const samples = fc.sample(fc.record({ pattern, replacement: template, text }), {
  numRuns: count,
  seed,
});
const answers = await askReaders(samples);

test(`Go and we compile and replace ${count} patterns alike (seed ${seed})`, () => {
  const different = samples.flatMap((sample, index) => {
    const go = answers[index] ?? {};
    const ours = rewrite(sample);
    if (ours.unsupported !== undefined) return []; // said, and counted below
    return go.error === ours.error && (go.text ?? '') === (ours.text ?? '')
      ? []
      : [{ sample, go, ours }];
  });

  assert.deepEqual(different.slice(0, 12), [], `${different.length} differ`);
});

test('the samples hold both, and few that we do not simulate', { skip: !isUsual }, () => {
  const compiled = answers.filter(({ error }) => error === undefined).length;
  const unsupported = samples.filter((sample) => rewrite(sample).unsupported !== undefined).length;

  assert.ok(compiled > 1000, `${compiled} compiled`);
  assert.ok(answers.length - compiled > 1000);
  assert.ok(unsupported < 100, `${unsupported} not simulated`);
});

interface Rewritten {
  readonly text?: string;
  readonly error?: string;
  readonly unsupported?: string;
}

function rewrite(sample: (typeof samples)[number]): Rewritten {
  const compiled = compileGoRegexp(sample.pattern);
  if (compiled.kind === 'invalid') return { error: compiled.error };
  if (compiled.kind === 'unsupported') return { unsupported: compiled.reason };
  const text = compiled.replaceAll(sample.text, sample.replacement);
  return typeof text === 'string' ? { text } : { unsupported: text.reason };
}
