import assert from 'node:assert/strict';
import test from 'node:test';
import { hideSecrets, hideSecretsIn } from './hide-secrets.ts';
import { unifiedDiff } from './unified-diff.ts';

for (const line of [
  '+  password = "hunter2"',
  '     password: hunter2',
  '-  "password": "hunter2",',
  "+  auth = { username = 'u', password = 'hunter2' }",
  '+configs = { "m" = { auth = { password = "hunter2" } } }',
  ' auth: aHVudGVyMg==hunter2',
  '+  identity_token: hunter2',
  '+  Authorization = ["Basic hunter2hunter2"]',
  '+  server = "https://u:hunter2@m.example"',
  `+  key: ${'hunter2'.repeat(12)}`,
]) {
  test(`what lets somebody in is not shown: ${line.slice(0, 40)}`, () => {
    assert.doesNotMatch(hideSecrets(line), /hunter2/);
    assert.match(hideSecrets(line), /\[secret\]/);
  });
}

for (const line of [
  '+capabilities = ["pull", "resolve"]',
  '+  ca = "/etc/containerd/certs.d/slipway-main.pem"',
  '     auth:',
  '+  "auths": {',
  ' [plugins."io.containerd.cri.v1.images".registry.configs."m".auth]',
  '+# Written by Slipway: x. (sha256:0123456789abcdef)',
]) {
  test(`what is no secret is shown: ${line}`, () => {
    assert.equal(hideSecrets(line), line);
  });
}

const body = ['hunter2'.repeat(9), 'aHVudGVyMg=='];
const pem = (what: string) => [`-----BEGIN ${what}-----`, ...body, `-----END ${what}-----`];

test('the PEM block of a certificate is shown whole, the one of a private key is not', () => {
  const key = ['-----BEGIN EC PRIVATE KEY-----', '[secret]', '[secret]'];
  const lines = [...pem('CERTIFICATE'), ...pem('EC PRIVATE KEY'), 'password: hunter2'];

  assert.deepEqual(hideSecretsIn(lines), [
    ...pem('CERTIFICATE'),
    ...key,
    '-----END EC PRIVATE KEY-----',
    'password: [secret]',
  ]);
});

test('a certificate in one line is shown, as text and as base64 of it; a key beside it is not', () => {
  const inLine = `ca = "${pem('CERTIFICATE').join('\\n')}"`;
  const encoded = (what: string) => Buffer.from(pem(what).join('\n')).toString('base64');

  assert.equal(hideSecrets(inLine), inLine);
  assert.equal(hideSecrets(`ca: ${encoded('CERTIFICATE')}`), `ca: ${encoded('CERTIFICATE')}`);
  assert.equal(hideSecrets(`k: ${encoded('PRIVATE KEY')}`), 'k: [secret]');
  assert.doesNotMatch(hideSecrets(`${inLine} k = ${body[0]}`), /k = hunter2/);
});

test('a hunk that begins within a certificate shows it, and signs are never part of what is hidden', () => {
  const [long = ''] = body;
  const old = [...pem('CERTIFICATE'), long].join('\n');
  const before = old.replace(long, `${long}\n${long}\n${long}\n${long}\n${long}`);
  const after = before.replace('aHVudGVyMg==', 'aHVudGVyMw==').replace(/\n[^\n]*$/, `\n${long}x`);

  const lines = unifiedDiff(`${before}\n`, `${after}\n`, hideSecretsIn);

  assert.deepEqual(lines.slice(1), [
    ...[` ${long}`, ` ${long}`, ` ${long}`, '-aHVudGVyMg==', '+aHVudGVyMw=='],
    ...[' -----END CERTIFICATE-----', '-[secret]', '+[secret]'],
  ]);
});
