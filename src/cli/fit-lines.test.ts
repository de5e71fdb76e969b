import assert from 'node:assert/strict';
import test from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { fitLines } from './fit-lines.ts';

const lines: ReadonlyArray<readonly [claim: string, width: number, line: string, fitted: string]> =
  [
    ['what fits stays as it is', 20, 'a  b\n  c', 'a  b\n  c'],
    [
      'the text goes on below itself, not below its place',
      40,
      'a.yaml:1:2  cannot be reached, since nothing listens',
      'a.yaml:1:2  cannot be reached, since\n            nothing listens',
    ],
    [
      'text without columns goes on two columns further in',
      24,
      '  - docker.io/a/b:latest is a moving tag',
      '  - docker.io/a/b:latest\n    is a moving tag',
    ],
    [
      'what is indented far goes on in its own column',
      24,
      '      Check the spelling of the host',
      '      Check the spelling\n      of the host',
    ],
    [
      'a code that was lined up stands behind its message, or on the next line',
      40,
      `a.yaml:1:2  it cannot be read${' '.repeat(60)}DOC_SYNTAX`,
      'a.yaml:1:2  it cannot be read\n            DOC_SYNTAX',
    ],
    [
      'a word that fits into no line stays whole, and where it is',
      20,
      'see https://registry.example/v2/library/nginx/manifests/latest now',
      'see https://registry.example/v2/library/nginx/manifests/latest\n  now',
    ],
    [
      'a command gets a line of its own and stays whole',
      40,
      'locked in a.lock.yaml      next: slipway bundle create a.lock.yaml -o a.bundle',
      'locked in a.lock.yaml\n  next: slipway bundle create a.lock.yaml -o a.bundle',
    ],
    [
      'a command that is far to the right goes below',
      60,
      'locked in some.lock.yaml      next: slipway bundle create some.lock.yaml',
      'locked in some.lock.yaml\n  next: slipway bundle create some.lock.yaml',
    ],
    [
      'a command behind a label stays there',
      30,
      '        do      slipway load a.bundle --site site.yaml',
      '        do      slipway load a.bundle --site site.yaml',
    ],
    [
      'a label has a column of its own, also with one blank behind it',
      40,
      '        because the runtime asks hub.oepkgs.net',
      '        because the runtime asks\n                hub.oepkgs.net',
    ],
    [
      'a command at the start of a line stays whole',
      20,
      '$ slipway bundle create a.lock.yaml',
      '$ slipway bundle create a.lock.yaml',
    ],
    [
      'colours take no column, and go on',
      12,
      '\u001b[31mred words all over\u001b[39m the \u001b[1mline\u001b[22m',
      '\u001b[31mred words\n  all over\n  \u001b[39mthe \u001b[1mline\u001b[22m',
    ],
  ];

for (const [claim, width, line, fitted] of lines) {
  test(claim, () => {
    assert.equal(fitLines(line, width), fitted);
  });
}

test('no letter is lost, and no line is wider than it must be', () => {
  const word = fc.string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom('a', 'é', '\u001b[1mb'),
  });
  const gap = fc.constantFrom(' ', '  ', '    ');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, gap), { maxLength: 20 }),
      fc.integer({ min: 40, max: 80 }),
      (parts, width) => {
        const line = parts.flat().join('');

        const fitted = fitLines(line, width);

        const letters = (text: string) => stripVTControlCharacters(text).replaceAll(/\s/g, '');
        assert.equal(letters(fitted), letters(line));
        for (const one of fitted.split('\n'))
          assert.ok(
            stripVTControlCharacters(one).trimEnd().length <= width,
            JSON.stringify(fitted),
          );
      },
    ),
  );
});

test('lines of a diff stay as they are', () => {
  const line = `+${'a b '.repeat(30)}`;

  assert.equal(fitLines(line, 40), line);
  assert.equal(fitLines(line.replace('+', '-'), 40), line.replace('+', '-'));
});
