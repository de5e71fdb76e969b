import assert from 'node:assert/strict';
import test from 'node:test';
import { hideSecrets } from './hide-secrets.ts';

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
