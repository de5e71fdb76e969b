import assert from 'node:assert/strict';
import test from 'node:test';
import { hideLogin, hideSecrets, hideSecretsIn } from './hide-secrets.ts';
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
  '-"password": hunter2 and hunter2',
  '+password = hunter2 hunter2',
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

test('what a login goes on with in later lines is hidden, and what comes after it is not', () => {
  const files: ReadonlyArray<readonly [file: string, shown: string]> = [
    [
      'auth:\n  password: |\n    p\n\n    q\n  username: ann',
      'auth:\n  password: [secret]\n    [secret]\n\n    [secret]\n  username: ann',
    ],
    ['token:\n  plain\nnext: 1', 'token:\n  [secret]\nnext: 1'],
    ['auth: # of ann\n  username: ann', 'auth: [secret]\n  username: ann'],
    ['password = """\np\n"""\na = 1', 'password = [secret]\n[secret]\n[secret]\na = 1'],
    [
      '[host."h".header]\n# why\nx = [\n "p",\n]\ny = "q"\n[host."i"]\nz = 1',
      '[host."h".header]\n# why\nx = [secret]\n [secret]\n[secret]\ny = [secret]\n[host."i"]\nz = 1',
    ],
    ['header = { x = "p" }', 'header = [secret]'],
  ];

  for (const [file, shown] of files)
    assert.equal(hideSecretsIn(file.split('\n')).join('\n'), shown);
});

test('a login in an address without a scheme is hidden, a tag in front of a digest is not', () => {
  const image = `harbor.example/hub/app:v1@sha256:${'a'.repeat(64)}`;

  assert.equal(
    hideLogin("'ann:p4ss@h.example/hub' is no host"),
    "'[secret]@h.example/hub' is no host",
  );
  assert.equal(hideLogin(image), image);
  assert.equal(
    hideLogin('h.example:5000/a@b and git@h.example'),
    'h.example:5000/a@b and git@h.example',
  );
});

test('a line that nobody could look at is not shown, whatever is in it', () => {
  const line = `password: hunter2 ${'x'.repeat(20_000)}`;

  assert.equal(hideSecrets(line), '[a line of 20018 characters]');
});
