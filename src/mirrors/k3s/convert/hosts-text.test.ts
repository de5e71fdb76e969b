import assert from 'node:assert/strict';
import test from 'node:test';
import { hostsText } from './hosts-text.ts';

test('names of files are quoted as Go quotes them, which TOML may not read', () => {
  const at = { line: 1, column: 1, start: 0, end: 0 };
  const caFile = '/etc/\x07\x7f\u200b\x01é.crt';
  const none = { certFile: '', keyFile: '', skipVerify: false, places: new Map() };
  const config = { at, tls: { at, caFile, ...none } };
  const root = { address: undefined, config, rewrites: new Map() };

  const text = hostsText({ default: root, endpoints: [] }, 'k3s');

  // The output of strconv.Quote, run.
  assert.match(text, /^ca = \["\/etc\/\\a\\x7f\\u200b\\x01é\.crt"\]$/m);
});
