/** Writes small tar archives for layers and charts; what reads foreign archives uses tar-stream. */
import { gzipSync } from 'node:zlib';
import { compareText } from '../shared/json.ts';
import { LayerPathInvalid } from './errors.ts';

/** One regular file of a layer; `mode` is 0o644 unless given. */
export interface LayerFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: number;
}

const blockBytes = 512;

/**
 * An uncompressed POSIX ustar archive of regular files, owned by root, dated 1970, sorted by path:
 * the same files give the same bytes in any order. Everything is held in memory. Paths have at most
 * 255 bytes, split at a `/` into 155 and 100 (else LAYER_PATH_INVALID, also for `..`).
 */
export function tarLayer(files: readonly LayerFile[]): Uint8Array {
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path));
  const parts = sorted.flatMap((file) => {
    const content = Buffer.from(file.content);
    return [header(file, content.length), content, padding(content.length)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]);
}

/** Compresses without the name, time and system that gzip would add: same bytes everywhere. */
export function gzipLayer(bytes: Uint8Array): Uint8Array {
  const zipped = gzipSync(bytes, { level: 9 });
  zipped[9] = 255; // the operating system, RFC 1952: unknown
  return zipped;
}

function padding(sizeBytes: number): Buffer {
  return Buffer.alloc((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}

function header(file: LayerFile, sizeBytes: number): Buffer {
  const { name, prefix } = splitPath(file.path);
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(file.mode ?? 0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(sizeBytes, 12), 124);
  block.write(octal(0, 12), 136);
  block.write('        0', 148); // the checksum counts as blanks; then the type: a regular file
  block.write('ustar\x0000', 257);
  block.write(prefix, 345);
  const checksum = block.reduce((sum, byte) => sum + byte, 0);
  block.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function splitPath(path: string): { name: string; prefix: string } {
  const steps = path.split('/');
  if (steps.some((step) => step === '' || step === '.' || step === '..')) {
    throw new LayerPathInvalid({ path, reason: 'it is empty, absolute or has "." or ".." in it' });
  }
  for (let at = 0; at < steps.length; at += 1) {
    const [prefix, name] = [steps.slice(0, at).join('/'), steps.slice(at).join('/')];
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { name, prefix };
  }
  throw new LayerPathInvalid({ path, reason: 'it is too long for a tar header' });
}
