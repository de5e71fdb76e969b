import assert from 'node:assert/strict';
import test from 'node:test';
import { isLocalHost, parseGoUrl, splitHostPort } from './go-url.ts';

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

test('a port is what stands behind the only colon, or behind the bracket', () => {
  assert.deepEqual(splitHostPort('h:1'), { host: 'h', port: '1' });
  assert.deepEqual(splitHostPort('[::1]:5000'), { host: '::1', port: '5000' });
  assert.deepEqual(splitHostPort('h'), { host: 'h', port: '' });
  assert.deepEqual(splitHostPort('[::1]'), { host: '[::1]', port: '' });
});

test('hosts of this machine are localhost and loopback addresses, in small letters', () => {
  const local = ['localhost', 'localhost:5000', '127.0.0.1', '127.9.9.9:80', '[::1]:5000', '::1'];
  const remote = ['Localhost', 'localhost.example', '127.0.0.256', '127.1', '[::1]', '128.0.0.1'];

  assert.deepEqual(
    local.filter((host) => !isLocalHost(host)),
    [],
  );
  assert.deepEqual(remote.filter(isLocalHost), []);
});

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
