import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../oci/digest.ts';
import { formatRewriteRecord, readRewriteRecord } from './rewrite-record.ts';

const rewrite = { name: 'h.example/pause:3.9', from: digestOf('old'), to: digestOf('new') };

test('a record of rewrites is read back as old and new digests', () => {
  const text = formatRewriteRecord([rewrite]);

  assert.deepEqual(readRewriteRecord(text, 'x.json'), new Map([[rewrite.from, rewrite.to]]));
});

for (const [why, text] of [
  ['no JSON', 'rewrites:'],
  ['another format', '{"format": "slipway.dev/rewrites/v2", "rewrites": []}'],
  [
    'no digest',
    '{"format": "slipway.dev/rewrites/v1", "rewrites": [{"name": "a", "from": "b", "to": "c"}]}',
  ],
] as const) {
  test(`a record of rewrites with ${why} is refused by its file's name`, () => {
    assert.throws(() => readRewriteRecord(text, 'x.json'), {
      code: 'REWRITE_RECORD_INVALID',
      message: /^x\.json /,
    });
  });
}
