import assert from 'node:assert/strict';
import test from 'node:test';
import { hasSecret, redact } from './secret.ts';

const withSecret: readonly (readonly [address: string, shown: string])[] = [
  ['http://bob:hunter2@host/f', 'http://[secret]@host/f'],
  ['https://ghp_hunter2@host/f', 'https://[secret]@host/f'],
  ['https://host/f?X-Amz-Signature=hunter2', 'https://host/f?X-Amz-Signature=[secret]'],
  ['https://host/f?a=1&X-Goog-Signature=hunter2', 'https://host/f?a=1&X-Goog-Signature=[secret]'],
  ['https://host/f?Expires=1&Signature=hunter2', 'https://host/f?Expires=1&Signature=[secret]'],
  ['https://host/f?sv=2021&sig=hunter2', 'https://host/f?sv=2021&sig=[secret]'],
  ['https://host/f?token=hunter2', 'https://host/f?token=[secret]'],
  ['https://host/f?private_token=hunter2', 'https://host/f?private_token=[secret]'],
  ['https://host/f#access_token=hunter2', 'https://host/f#access_token=[secret]'],
];

test('a login, a token or a signature in a URL is found, and not shown', () => {
  for (const [address, shown] of withSecret) {
    assert.equal(hasSecret(address), true, address);
    assert.equal(redact(address), shown);
  }
});

test('a secret is found as it would be sent, however it is written', () => {
  assert.equal(hasSecret('http:\\\\bob:hunter2@host/f'), true);
  assert.equal(hasSecret('https://host/f?%74oken=hunter2'), true);
});

test('other URLs hold none, and stay as they are', () => {
  for (const address of [
    'https://host:8443/f@v1?version=1#part',
    'https://host/tokens/sig?tokenizer=x&design=2&author=me',
  ]) {
    assert.equal(hasSecret(address), false, address);
    assert.equal(redact(address), address);
  }
});
