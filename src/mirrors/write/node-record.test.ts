import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../memory-tree.ts';
import { readNodeRecord } from './node-record.ts';

const FILE = '/var/lib/slipway/mirrors/rules.json';
const target = { scheme: 'https', host: 'm.example', prefix: '' };

/** A node that remembers one rule with these words more. */
function remembering(rule: object) {
  const rules = [{ registry: 'quay.io', targets: [target], fallback: false, ...rule }];
  const record = { version: 1, runtime: 'containerd@2.1.1', rules, files: [], folders: [] };
  return memoryTree({ [FILE]: JSON.stringify(record) });
}

test('an empty path, which older records have, is no path', async () => {
  const record = await readNodeRecord(remembering({ path: '' }));

  assert.deepEqual(record?.rules, [{ registry: 'quay.io', targets: [target], fallback: false }]);
});
