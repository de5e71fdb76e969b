/**
 * Headers of tar archives, written and read at known places. tar-stream works only from the front; a
 * bundle is also written in parallel and served in place, so it needs its headers by offset.
 * Source: POSIX.1-2017 pax, section "ustar Interchange Format"; GNU tar for sizes of 8 GiB and more.
 */

/** A tar archive is a row of blocks of this many bytes. */
export const tarBlockBytes = 512;

/** What ends an archive: two blocks of zeros. */
export const tarEndBytes = 2 * tarBlockBytes;

/** The largest size that eleven octal digits can say. */
const maxOctalSize = 0o77777777777;

/** Where the fields of a header lie: start and length in bytes. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  prefix: [345, 155],
} as const;

/** A regular file to be written: its size in bytes and its mode in octal, such as `0644`. */
export interface TarFile {
  readonly path: string;
  readonly size: number;
  readonly mode: string;
}

/** A header as it stands in an archive; `path` and `size` may be overruled by a pax header before it. */
export interface TarHeader {
  readonly path: string;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** One character: `0` file, `5` folder, `x` pax header for the next file, `g` for all, `L` GNU long name. */
  readonly type: string;
}

/** `size` rounded up to whole blocks. */
export function paddedSize(size: number): number {
  return Math.ceil(size / tarBlockBytes) * tarBlockBytes;
}

/**
 * The header of one file of a bundle: fixed times and owners, so that the same file has the same
 * bytes everywhere (promise P9). 512 bytes, or 1536 where the path needs a pax header before it.
 */
export function encodeHeader(file: TarFile): Buffer {
  const pathBytes = Buffer.byteLength(file.path);
  if (pathBytes <= fields.name[1]) return ustarHeader(file.path, file.size, file.mode, '0');
  const record = paxRecord('path', file.path);
  const short = Buffer.from(file.path).subarray(0, fields.name[1]).toString('latin1');
  return Buffer.concat([
    ustarHeader('pax-header', record.length, '0644', 'x'),
    record,
    Buffer.alloc(paddedSize(record.length) - record.length),
    ustarHeader(short, file.size, file.mode, '0'),
  ]);
}

/** Reads one block; undefined when it is no header (zeros, or its checksum does not fit). */
export function decodeHeader(block: Buffer): TarHeader | undefined {
  if (block.length < tarBlockBytes) return undefined;
  if (readOctal(block, fields.checksum) !== checksumOf(block)) return undefined;
  const prefix = isUstar(block) ? readText(block, fields.prefix) : '';
  const name = readText(block, fields.name);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    size: readSize(block),
    mode: readOctal(block, fields.mode) & 0o7777,
    type: readText(block, fields.type) || '0',
  };
}

/** The records of a pax header: `12 path=ab\n` → `{ path: 'ab' }`. Stops at the first that is broken. */
export function decodePax(bytes: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const length = Number.parseInt(bytes.toString('latin1', at, space), 10);
    if (space < 0 || !(length > 0)) break;
    const record = bytes.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    records[record.slice(0, equals)] = record.slice(equals + 1);
    at += length;
  }
  return records;
}

function ustarHeader(path: string, size: number, mode: string, type: string): Buffer {
  const block = Buffer.alloc(tarBlockBytes);
  block.write(path, 0, 'latin1');
  block.write(`${mode.padStart(7, '0')}\0`, fields.mode[0], 'latin1');
  block.write('0000000\0', fields.uid[0], 'latin1');
  block.write('0000000\0', fields.gid[0], 'latin1');
  writeSize(block, size);
  block.write('00000000000\0', fields.mtime[0], 'latin1');
  block.write(type, fields.type[0], 'latin1');
  block.write('ustar\x0000', fields.magic[0], 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, fields.checksum[0], 'latin1');
  return block;
}

/** `27 path=…\n`, where the number counts itself. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

function writeSize(block: Buffer, size: number): void {
  const [start] = fields.size;
  if (size <= maxOctalSize) {
    block.write(`${size.toString(8).padStart(11, '0')}\0`, start, 'latin1');
    return;
  }
  // GNU: the first bit set, then the number in binary.
  block[start] = 0x80;
  block.writeBigUInt64BE(BigInt(size), start + 4);
}

function readSize(block: Buffer): number {
  const [start] = fields.size;
  if (((block[start] ?? 0) & 0x80) === 0) return readOctal(block, fields.size);
  return Number(block.readBigUInt64BE(start + 4));
}

function readOctal(block: Buffer, [start, length]: readonly [number, number]): number {
  const digits = /[0-7]+/.exec(block.toString('latin1', start, start + length))?.[0];
  return digits === undefined ? 0 : Number.parseInt(digits, 8);
}

function readText(block: Buffer, [start, length]: readonly [number, number]): string {
  const text = block.subarray(start, start + length);
  const end = text.indexOf(0);
  return text.toString('utf8', 0, end < 0 ? text.length : end);
}

/** The sum of all bytes, with the checksum's own field taken as blanks. */
function checksumOf(block: Buffer): number {
  const [start, length] = fields.checksum;
  let sum = 0;
  for (let at = 0; at < tarBlockBytes; at += 1) {
    sum += at >= start && at < start + length ? 0x20 : (block[at] ?? 0);
  }
  return sum;
}

function isUstar(block: Buffer): boolean {
  return block.toString('latin1', fields.magic[0], fields.magic[0] + 5) === 'ustar';
}
