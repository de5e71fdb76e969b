import assert from 'node:assert/strict';
import test from 'node:test';
import { formatProblems } from './format-problems.ts';

const problem = {
  file: 'release.yaml',
  line: 14,
  column: 9,
  code: 'DOC_UNKNOWN_FIELD',
  message: 'short',
};

test('places, messages and codes stand in columns, hints below, the count at the end', () => {
  const text = formatProblems([
    {
      ...problem,
      line: 22,
      column: 15,
      code: 'VERSION_TOO_OLD',
      message: 'a longer message',
      hint: 'one\ntwo',
    },
    problem,
  ]);

  assert.equal(
    text,
    `release.yaml:14:9   short             DOC_UNKNOWN_FIELD
release.yaml:22:15  a longer message  VERSION_TOO_OLD
                    one
                    two
2 problems, nothing was written`,
  );
});

test('a very long message does not push the codes of the others away', () => {
  const lines = formatProblems([problem, { ...problem, line: 15, message: 'x'.repeat(200) }]).split(
    '\n',
  );

  assert.equal(lines[0], 'release.yaml:14:9  short  DOC_UNKNOWN_FIELD');
});

test('files stay in the order in which they were given, places are sorted within each', () => {
  const at = (file: string, line: number) => ({ ...problem, file, line });

  const lines = formatProblems([at('z.yaml', 9), at('a.yaml', 3), at('z.yaml', 2)]).split('\n');

  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['z.yaml:2:9', 'z.yaml:9:9', 'a.yaml:3:9', '3'],
  );
});

test('text of a document can neither control the terminal nor forge a line nor show a login', () => {
  const message = 'a\u001b[2Jb\nc\u202ed https://u:hunter2@host/x';

  const [line] = formatProblems([{ ...problem, message }]).split('\n');

  assert.equal(
    line,
    'release.yaml:14:9  a\\u001b[2Jb\\u000ac\\u202ed https://[secret]@host/x  DOC_UNKNOWN_FIELD',
  );
});
