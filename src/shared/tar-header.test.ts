import assert from 'node:assert/strict';
import test from 'node:test';
import { extract } from 'tar-stream';
import { decodeHeader, decodePax, encodeHeader, paddedSize, tarEndBytes } from './tar-header.ts';

const sha512 = `blobs/sha512/${'ab'.repeat(64)}`;

/** Reads an archive with a foreign program: the oracle for our headers. */
async function readWithTarStream(archive: Buffer) {
  const seen: {
    name: string;
    size: number | undefined;
    mode: number | undefined;
    time: unknown;
  }[] = [];
  const reader = extract();
  reader.end(archive);
  for await (const entry of reader) {
    const { name, size, mode, mtime } = entry.header;
    seen.push({ name, size, mode, time: mtime?.getTime() });
    entry.resume();
  }
  return seen;
}

for (const file of [
  { path: 'oci-layout', size: 30, mode: '0644' },
  { path: 'files/helm/v4.3.1/linux-amd64/helm', size: 1, mode: '0755' },
  { path: sha512, size: 0, mode: '0644' },
  { path: `files/${'long/'.repeat(60)}name`, size: 513, mode: '0600' },
]) {
  test(`tar-stream reads our header of ${file.path.slice(0, 40)}`, async () => {
    const archive = Buffer.concat([
      encodeHeader(file),
      Buffer.alloc(paddedSize(file.size)),
      Buffer.alloc(tarEndBytes),
    ]);

    const seen = await readWithTarStream(archive);

    const mode = Number.parseInt(file.mode, 8);
    assert.deepEqual(seen, [{ name: file.path, size: file.size, mode, time: 0 }]);
  });
}

test('a file of 8 GiB and more keeps its size', () => {
  const size = 9 * 1024 ** 3 + 7;

  const header = decodeHeader(encodeHeader({ path: 'big', size, mode: '0644' }));

  assert.deepEqual(header, { path: 'big', size, mode: 0o644, type: '0' });
});

test('a long path comes back from the pax header before it', () => {
  const bytes = encodeHeader({ path: sha512, size: 5, mode: '0644' });

  const first = decodeHeader(bytes.subarray(0, 512));
  const records = decodePax(bytes.subarray(512, 512 + (first?.size ?? 0)));

  assert.equal(first?.type, 'x');
  assert.deepEqual(records, { path: sha512 });
});

test('a block with one changed bit is no header', () => {
  const block = encodeHeader({ path: 'a', size: 1, mode: '0644' });
  block[0] = 0x62;

  assert.equal(decodeHeader(block), undefined);
  assert.equal(decodeHeader(Buffer.alloc(512)), undefined);
});
