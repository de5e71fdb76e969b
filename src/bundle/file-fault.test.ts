import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../test/support/sample-lock.ts';
import { BlobDigestMismatch, BlobSizeMismatch } from '../content/errors.ts';
import { digestOf } from '../oci/digest.ts';
import { fileFault } from './file-fault.ts';

const [file] = sampleLock().lock.spec.files;
assert.ok(file);
const got = digestOf('another file');
const about = { side: 'source', label: 'files/helm' } as const;
const { digest, size } = file.blob;

test('a file with another digest than the Release gives is named with the place in the Release', () => {
  const fault = fileFault(file, new BlobDigestMismatch({ ...about, want: digest, got }));

  assert.ok(fault instanceof Error && 'fix' in fault && 'code' in fault);
  assert.equal(fault.code, 'BUNDLE_FILE_OTHER');
  assert.ok(fault.message.startsWith(`${file.url} does not give the file helm`), fault.message);
  assert.ok(fault.message.includes('(release.yaml:1:1)'), fault.message);
  assert.ok(fault.message.endsWith(`the Release gives ${digest}, what came is ${got}`));
  assert.doesNotMatch(String(fault.fix), /push/i);
});

test('a file that grew since the Lock was made is the server’s; a torn connection stays what it is', () => {
  const sizes = { ...about, digest, wantBytes: size };
  const longer = fileFault(file, new BlobSizeMismatch({ ...sizes, gotBytes: size + 1 }));
  const torn = new BlobSizeMismatch({ ...sizes, gotBytes: size - 1 });

  assert.ok(longer instanceof Error);
  assert.match(longer.message, /when the Lock was made and has more now$/);
  assert.equal(fileFault(file, torn), torn);
});
