import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type DigestAlgorithm, digestOf } from '../oci/digest.ts';
import { collectBytes } from './byte-streams.ts';
import { verifying } from './verifying.ts';

const origin = { side: 'source', label: 'registry.example/app' } as const;

test('the right bytes pass unchanged, however they are cut, in both algorithms', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 });
  const algorithms = fc.constantFrom<DigestAlgorithm>('sha256', 'sha512');

  const passes = fc.asyncProperty(pieces, algorithms, async (chunks, algorithm) => {
    const whole = Buffer.concat(chunks);
    const blob = { digest: digestOf(whole, algorithm), size: whole.length };
    assert.deepEqual(Buffer.from(await collectBytes(verifying(blob)(streamOf(chunks)))), whole);
  });

  await fc.assert(passes, { numRuns: 50 });
});

test('a change of any one byte is found', async () => {
  const flips = fc.asyncProperty(
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc.nat(),
    async (bytes, where) => {
      const blob = { digest: digestOf(bytes), size: bytes.length };
      const changed = bytes.with(where % bytes.length, (bytes.at(where % bytes.length) ?? 0) ^ 1);
      await assert.rejects(collectBytes(verifying(blob)(streamOf([changed]))), {
        code: 'BLOB_DIGEST_MISMATCH',
      });
    },
  );

  await fc.assert(flips, { numRuns: 50 });
});

test('a stream that is too long is stopped before the surplus is passed on', async () => {
  const blob = { digest: digestOf('abc'), size: 3 };
  const passed: string[] = [];

  const reading = async () => {
    const chunks = ['ab', 'cd', 'ef'].map((text) => Buffer.from(text));
    for await (const chunk of verifying(blob, origin)(streamOf(chunks))) {
      passed.push(Buffer.from(chunk).toString());
    }
  };

  await assert.rejects(reading(), {
    code: 'BLOB_SIZE_MISMATCH',
    data: { ...origin, digest: blob.digest, wantBytes: 3, gotBytes: 4 },
  });
  assert.deepEqual(passed, ['ab']);
});

test('a stream that ends early says who sent it and how far it came', async () => {
  const blob = { digest: digestOf('abc'), size: 3 };

  const reading = collectBytes(verifying(blob, origin)(streamOf([Buffer.from('ab')])));

  await assert.rejects(reading, {
    code: 'BLOB_SIZE_MISMATCH',
    message: `registry.example/app (source) ended after 2 of the 3 bytes of ${blob.digest}`,
  });
});

async function* streamOf(chunks: readonly Uint8Array[]) {
  yield* chunks;
}
