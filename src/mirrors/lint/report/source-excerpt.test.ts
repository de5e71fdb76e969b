import assert from 'node:assert/strict';
import test from 'node:test';
import { LinedText } from '../../../documents/lined-text.ts';
import { excerptOf as excerptIn } from './source-excerpt.ts';

const excerptOf = (text: string, line: number, column: number | undefined) =>
  excerptIn(new LinedText(text), line, column);

test('the word at the column is marked', () => {
  const source = 'version = 2\nserver = "https://docker.io" # hub\n';

  assert.deepEqual(excerptOf(source, 2, 10), {
    text: 'server = "https://docker.io" # hub',
    mark: { start: 9, end: 28 },
  });
});

test('a name is marked whole, without what ends it', () => {
  const marked = (line: string, column: number) => {
    const { text = '', mark = { start: 0, end: 0 } } = excerptOf(line, 1, column) ?? {};
    return text.slice(mark.start, mark.end);
  };

  assert.equal(marked('  - image: quay.io/a/b:1@sha256:aa', 12), 'quay.io/a/b:1@sha256:aa');
  assert.equal(marked('  docker.io:', 3), 'docker.io');
  assert.equal(marked('config_path=""', 1), 'config_path');
  assert.equal(marked('[[registry]] # x', 1), '[[registry]]');
  assert.equal(marked('a: {b: c}', 4), '{');
});

test('a digest is no secret', () => {
  const line = `image: a@sha256:${'ab'.repeat(32)}`;

  assert.equal(excerptOf(line, 1, undefined)?.text, line);
});

test('without a column only the line is shown, and past the end nothing', () => {
  assert.deepEqual(excerptOf('a\r\nb', 1, undefined), { text: 'a' });
  assert.deepEqual(excerptOf('a', 1, 9), { text: 'a' });
  assert.equal(excerptOf('a', 3, 1), undefined);
});

const secrets: readonly string[] = [
  'password = "hunter2"',
  '      password: hunter2',
  '    "auth": "hunter2"',
  '      identity_token: hunter2',
  'Authorization = "Basic hunter2"',
  '  Authorization = ["hunter2"]',
  '[host."https://m".header] # https://user:hunter2@m.example/',
  'configs."m".auth.password = "hunter2"',
  'X-Api-Key = "hunter2"',
  'auth = { username = "u", password = "hunter2" }',
  'configs."m" = { auth = { auth = "hunter2" }, tls = { ca_file = "x" } }',
  '  password: correct horse hunter2',
];

for (const line of secrets) {
  test(`no login is shown: ${line}`, () => {
    const shown = excerptOf(line, 1, 1)?.text ?? '';

    assert.doesNotMatch(shown, /hunter2/);
    assert.match(shown, /\[secret\]/);
  });
}

test('a mark behind something hidden is left out, for its column is another one now', () => {
  const line = '"https://user:hunter2@m.example", "https://b.example"';

  assert.equal(excerptOf(line, 1, 36)?.mark, undefined);
});

test('control characters do not reach the terminal', () => {
  assert.equal(excerptOf('a\u001b[2Jb\tc', 1, undefined)?.text, 'a [2Jb c');
});
