// Eight thousand more are compared with Go in test/oracles/go/url.test.ts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { formatGoUrl } from './format.ts';
import { parseGoUrl } from './parse.ts';

const good: ReadonlyArray<readonly [text: string, scheme: string, host: string, path: string]> = [
  ['https://m.example.com:5000/v2/x?y=1#z', 'https', 'm.example.com:5000', '/v2/x'],
  ['HTTPS://A.example', 'https', 'A.example', ''],
  ['https://HTTPS://mirror.example.com', 'https', 'HTTPS:', '//mirror.example.com'],
  ['https://a://b', 'https', 'a:', '//b'],
  ['httpcache.example.com', '', '', 'httpcache.example.com'],
  ['httpcache.example.com:5000', 'httpcache.example.com', '', ''],
  ['https://u:p@h/x', 'https', 'h', '/x'],
  ['https://[fd00::1]:5000/a%20b', 'https', '[fd00::1]:5000', '/a b'],
  ['https://*', 'https', '*', ''],
  ['https://', 'https', '', ''],
  [':///x'.slice(1), '', '', '///x'],
];

for (const [text, scheme, host, path] of good) {
  test(`${text} is read as Go reads it`, () => {
    const result = parseGoUrl(text);

    assert.ok(result.ok);
    assert.deepEqual([result.url.scheme, result.url.host, result.url.path], [scheme, host, path]);
  });
}

const bad: ReadonlyArray<readonly [text: string, reason: RegExp]> = [
  ['://x', /missing protocol scheme/],
  ['https://h:port', /invalid port ":port" after host/],
  ['https://a b', /invalid character " " in host name/],
  ['https://[::1', /missing '\]' in host/],
  ['https://h/%zz', /invalid URL escape "%zz"/],
  ['https://h\n', /invalid control character/],
  ['10.0.0.1:5000', /first path segment in URL cannot contain colon/],
];

for (const [text, reason] of bad) {
  test(`${JSON.stringify(text)} is refused as by Go`, () => {
    const result = parseGoUrl(text);

    assert.ok(!result.ok);
    assert.match(result.reason, reason);
  });
}

test('escapes that Go refuses in a host, a login or a fragment are refused with its words', () => {
  const reason = (text: string) => {
    const read = parseGoUrl(text);
    return read.ok ? '' : read.reason;
  };

  assert.equal(reason('https://a%20b#f'), 'parse "https://a%20b": invalid URL escape "%20"');
  assert.equal(reason('https://m/#%zz'), 'parse "https://m/#%zz": invalid URL escape "%zz"');
  assert.equal(reason('https://u[@m'), 'parse "https://u[@m": net/url: invalid userinfo');
  assert.equal(reason('https://a%25b'), '');
});

const written: ReadonlyArray<readonly [text: string, again: string]> = [
  ['HTTPS://A.example:5000?', 'https://A.example:5000?'],
  ['https://ä.example/a b/%7e', 'https://%C3%A4.example/a%20b/~'],
  ['https://m/(a)/%28b%29', 'https://m/(a)/%28b%29'],
  ['https://m/%ff', 'https://m/%ff'],
  ['https://[fe80::1%25eth0]:1/x', 'https://[fe80::1%25eth0]:1/x'],
  ['https://u%3A:p@m#é', 'https://u%3A:p@m#%C3%A9'],
  ['urn:x?y', 'urn:x?y'],
  ['file:/a', 'file:/a'],
];

for (const [text, again] of written) {
  test(`${text} is written as Go writes it`, () => {
    const read = parseGoUrl(text);

    assert.ok(read.ok);
    assert.equal(formatGoUrl(read.url), again);
  });
}

test('a login does not print', () => {
  assert.doesNotMatch(inspect(parseGoUrl('https://ann:hunter2@m'), { depth: null }), /hunter2/);
});
