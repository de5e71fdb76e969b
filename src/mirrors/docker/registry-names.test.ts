import assert from 'node:assert/strict';
import test from 'node:test';
import { isSecureHost, readInsecureEntry } from './read/insecure-registries.ts';
import { validateMirror } from './read/mirror-url.ts';

const recent = { has: () => true };
const before283 = { has: () => false };

/** daemon/pkg/registry/config.go, ValidateMirror: the URL as it is used, or the end of the text against it. */
const urls: readonly (readonly [url: string, result: string])[] = [
  ['http://m.example', 'http://m.example/'],
  ['https://m.example/a/b/', 'https://m.example/a/b/'],
  ['https://m.example?', 'https://m.example?/'],
  ['https://[fd00::1]:5000', 'https://[fd00::1]:5000/'],
  [
    'm.example:5000',
    `no scheme specified for "m.example:5000": must use either 'https://' or 'http://'`,
  ],
  [
    '://m.example',
    `no scheme specified for "://m.example": must use either 'https://' or 'http://'`,
  ],
  [
    'oci://m.example',
    `unsupported scheme "oci" in "oci://m.example": must use either 'https://' or 'http://'`,
  ],
  ['https://m.example?a', 'query or fragment at end of the URI "https://m.example?a"'],
  ['https://m.example/#a', 'query or fragment at end of the URI "https://m.example/#a"'],
  ['https://u@m.example', 'username/password not allowed in URI "https://u:xxxxx@m.example"'],
  [
    'https://u:p%40w@m.example/x',
    'username/password not allowed in URI "https://u:xxxxx@m.example/x"',
  ],
  [
    'https://m.example:port',
    '"https://m.example:port" is not a valid URI: parse "https://m.example:port": invalid port ":port" after host',
  ],
];

for (const [url, result] of urls) {
  test(`the mirror ${url} is taken, or refused in the words of dockerd`, () => {
    const read = validateMirror(url, recent);

    assert.equal(read.ok ? read.url : read.reason, read.ok ? result : `invalid mirror: ${result}`);
  });
}

test('before 28.3 a mirror without a scheme is one with a wrong scheme', () => {
  const reason = (url: string) => {
    const read = validateMirror(url, before283);
    return read.ok ? '' : `${read.fault} ${read.reason}`;
  };

  assert.equal(
    reason('m.example'),
    'no-scheme invalid mirror: unsupported scheme "" in "m.example"',
  );
  assert.match(
    reason('m.example:5000'),
    /^no-scheme invalid mirror: unsupported scheme "m\.example"/,
  );
});

/** loadInsecureRegistries: the name or network that is kept, or the text against it. */
const entries: readonly (readonly [text: string, result: string])[] = [
  ['reg.example:5000', 'reg.example:5000'],
  ['HTTPS://reg.example', 'reg.example'],
  ['10.0.0.0/8', '10.0.0.0 / 8'],
  ['fd00::/8', 'fd00:: / 8'],
  ['fd00::1', 'fd00::1'],
  ['10.0.0.0/33', 'insecure registry 10.0.0.0/33 is not valid: invalid host "10.0.0.0/33"'],
  ['ftp://reg.example', "insecure registry ftp://reg.example should not contain '://'"],
  ['-reg.example', 'invalid index name (-reg.example). Cannot begin or end with a hyphen'],
  ['reg_1.example', 'insecure registry reg_1.example is not valid: invalid host "reg_1.example"'],
  ['reg.example:70000', 'insecure registry reg.example:70000 is not valid: invalid port "70000"'],
  [
    '[fd00::1]:x',
    'insecure registry [fd00::1]:x is not valid: strconv.Atoi: parsing "x": invalid syntax',
  ],
];

for (const [text, result] of entries) {
  test(`the insecure registry ${text} is kept as it is compared, or refused in the words of dockerd`, () => {
    const read = readInsecureEntry(text);
    const kept = read.ok
      ? read.kind === 'name'
        ? read.name
        : `${read.address} / ${read.bits}`
      : read.reason;

    assert.equal(kept, result);
  });
}

const addressesOf = (name: string) => (name === 'near.example' ? ['10.9.1.1', 'fd00::7'] : []);

/** isSecureIndex: the host, what is listed, and whether its certificates are checked. */
const hosts: readonly (readonly [host: string, insecure: readonly string[], isSecure: boolean])[] =
  [
    ['docker.io', ['docker.io'], true],
    ['reg.example', [], true],
    ['reg.example:5000', ['reg.example'], true],
    ['Reg.example', ['reg.example'], true],
    ['near.example:5000', ['10.9.7.7/16'], false],
    ['near.example', ['10.8.0.0/16'], true],
    ['near.example', ['fd00::/64'], false],
    ['far.example', ['0.0.0.0/0'], true],
    ['10.9.1.1:5000', ['10.0.0.0/8'], false],
    ['[::1]:5000', [], false],
    ['127.3.2.1', [], false],
  ];

for (const [host, insecure, isSecure] of hosts) {
  test(`${host} is ${isSecure ? 'checked' : 'not checked'} with ${JSON.stringify(insecure)}`, () => {
    assert.equal(isSecureHost(host, insecure, addressesOf), isSecure);
  });
}
