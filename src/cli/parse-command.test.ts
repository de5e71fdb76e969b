import assert from 'node:assert/strict';
import test from 'node:test';
import { defineCommand } from './command.ts';
import { parseCommand } from './parse-command.ts';
import { usageError } from './usage-errors.ts';

const example = defineCommand({
  arguments: {
    lock: { kind: 'file', required: true, summary: 'the lock' },
    more: { kind: 'file', many: true, summary: 'more files' },
  },
  options: {
    output: { kind: 'file', value: 'FILE', short: 'o', required: true, summary: 'where to' },
    deep: { kind: 'flag', summary: 'look deeper' },
    parallel: {
      kind: 'number',
      value: 'N',
      minimum: 1,
      maximum: 64,
      default: 8,
      summary: 'at once',
    },
    layout: { kind: 'choice', value: 'NAME', choices: ['flat', 'keep-path'], summary: 'names' },
    only: { kind: 'text', value: 'NAME', many: true, summary: 'only these' },
  },
  examples: [],
  run: async () => undefined,
});

function parse(line: string) {
  return parseCommand(example, line.split(' '));
}

function problemText(line: string): string {
  const parsed = parse(line);
  assert.equal(parsed.kind, 'problem');
  if (parsed.kind !== 'problem') return '';
  const around = { command: 'example', options: example.options, table: [] };
  return usageError(parsed.problem, around).message;
}

test('options and arguments become one value each, with defaults', () => {
  const parsed = parse('a.yaml b c -o out --only x --only=y --parallel 2 -o last --layout flat');

  assert.deepEqual(parsed, {
    kind: 'input',
    input: {
      options: { output: 'last', deep: false, parallel: 2, layout: 'flat', only: ['x', 'y'] },
      arguments: { lock: 'a.yaml', more: ['b', 'c'] },
    },
  });
});

test('what is not given is a default, an empty list, false or undefined', () => {
  const parsed = parse('a.yaml -o out');

  const input = parsed.kind === 'input' ? parsed.input : undefined;
  assert.deepEqual(input?.options, {
    output: 'out',
    deep: false,
    parallel: 8,
    layout: undefined,
    only: [],
  });
  assert.deepEqual(input?.arguments, { lock: 'a.yaml', more: [] });
});

test('help is given even if everything else is missing', () => {
  assert.deepEqual(parse('--help'), { kind: 'help' });
  assert.deepEqual(parse('-qh'), { kind: 'help' });
});

const wrong: readonly (readonly [string, RegExp])[] = [
  ['a -o x --layot flat', /has no option --layot; did you mean "--layout"\?/],
  ['a -o x -z', /has no option -z$/],
  ['a -o x --deep=yes', /^--deep takes no value/],
  ['a -o', /^-o needs a value: FILE/],
  ['a -o --deep', /^-o needs a value: FILE/],
  ['a --output=', /^--output needs a value: FILE/],
  ['a -o x --layout deep', /^--layout cannot be "deep"; it is one of flat, keep-path/],
  ['a -o x --parallel 0', /^--parallel must be a whole number from 1 to 64, not "0"/],
  ['a -o x --parallel 1e1', /not "1e1"/],
  ['a', /needs --output FILE \(where to\)/],
  ['-o x', /needs LOCK \(the lock\)/],
];
for (const [line, message] of wrong) {
  test(`"${line}" is a usage error that says what is wrong`, () => {
    assert.match(problemText(line), message);
  });
}

test('an argument too many and a word that is no choice are named', () => {
  const choosy = defineCommand({
    arguments: { shell: { kind: 'choice', choices: ['bash'], required: true, summary: 's' } },
    options: {},
    examples: [],
    run: async () => undefined,
  });

  for (const [words, typed] of [
    [['bash', 'extra'], 'extra'],
    [['dash'], 'dash'],
  ] as const) {
    const parsed = parseCommand(choosy, words);
    assert.deepEqual(parsed, { kind: 'problem', problem: { kind: 'extra-argument', typed } });
  }
});
