import assert from 'node:assert/strict';
import test from 'node:test';
import { describeError, messageOf } from './errors.ts';

const raw =
  'C01C5F3A717F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:\n';

test("of OpenSSL's errors only the words stay, in one line", () => {
  assert.equal(messageOf(new Error(raw)), 'wrong version number');
  assert.equal(messageOf(new Error(`write EPROTO ${raw}`)), 'write EPROTO wrong version number');
  assert.equal(
    messageOf(new Error('error:0A000086:SSL routines::certificate verify failed')),
    'certificate verify failed',
  );
});

test('what other programs wrote in several lines becomes one', () => {
  const error = new Error('cannot start', { cause: new Error('first\n  second\n') });

  assert.equal(describeError(error), 'cannot start: first second');
});
