import assert from 'node:assert/strict';
import test from 'node:test';
import { readSourceText } from './source-text.ts';

function problemOf(source: string | Uint8Array, maxBytes?: number): string {
  const result = readSourceText(source, 'f.yaml', maxBytes);
  if (!('problem' in result)) return 'none';
  const { line, column, code, message } = result.problem;
  return `${line}:${column} ${code} ${message}`;
}

test('a byte order mark is not part of the text', () => {
  const bytes = Buffer.from('\uFEFFa: ü\n');

  assert.deepEqual(readSourceText(bytes, 'f.yaml'), { text: 'a: ü\n' });
  assert.deepEqual(readSourceText('\uFEFFa: ü\n', 'f.yaml'), { text: 'a: ü\n' });
});

test('bytes that are not UTF-8 are refused with their place', () => {
  const latin1 = Buffer.concat([Buffer.from('a: 1\nb: ü'), Buffer.from([0xfc]), Buffer.from('\n')]);

  assert.equal(problemOf(latin1), '2:5 DOC_NOT_TEXT the file is not UTF-8 text from here on');
});

test('UTF-16 is named', () => {
  assert.match(problemOf(Buffer.from('\uFEFFa: 1', 'utf16le')), /^1:1 DOC_NOT_TEXT .*UTF-16/);
});

test('a replacement character that was written on purpose is text', () => {
  assert.equal(problemOf(Buffer.from('a: \uFFFD\n')), 'none');
});

test('NUL and other control characters are refused with their place', () => {
  assert.match(
    problemOf('a: 1\nb: x\u0000y\n'),
    /^2:5 DOC_NOT_TEXT the control character U\+0000 /,
  );
  assert.match(problemOf('\u001b[31m'), /^1:1 DOC_NOT_TEXT the control character U\+001B /);
  assert.equal(problemOf('a:\r\n  - "\t"\n'), 'none');
});

test('a file over the limit is refused, one at the limit is not', () => {
  assert.equal(
    problemOf('x'.repeat(11), 10),
    '1:1 DOC_TOO_LARGE the file has 0.1 MiB; at most 0.1 MiB are read',
  );
  assert.match(problemOf('x'.repeat(10 * 1024 * 1024 + 1)), /has 10.1 MiB; at most 10 MiB/);
  assert.equal(problemOf('x'.repeat(10), 10), 'none');
});
