/** Writes small tar archives for layers and charts; what reads foreign archives uses tar-stream. */
import { gzipSync } from 'node:zlib';
import { compareText } from '../shared/json.ts';
import { encodeHeader, paddedSize, tarEndBytes } from '../shared/tar-header.ts';
import { LayerPathInvalid } from './errors.ts';

/** One regular file of a layer; `mode` is 0o644 unless given. */
export interface LayerFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: number;
}

/**
 * An uncompressed POSIX archive of regular files, owned by root, dated 1970, sorted by path: the same
 * files give the same bytes in any order. Everything is held in memory. LAYER_PATH_INVALID for a path
 * that is empty, absolute, or has `.` or `..` in it.
 */
export function tarLayer(files: readonly LayerFile[]): Uint8Array {
  const sorted = [...files].sort((a, b) => compareText(a.path, b.path));
  const parts = sorted.flatMap((file) => {
    refuseOddPath(file.path);
    const content = Buffer.from(file.content);
    const mode = (file.mode ?? 0o644).toString(8).padStart(4, '0');
    const padding = Buffer.alloc(paddedSize(content.length) - content.length);
    return [encodeHeader({ path: file.path, size: content.length, mode }), content, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(tarEndBytes)]);
}

/** Compresses without the name, time and system that gzip would add: same bytes everywhere. */
export function gzipLayer(bytes: Uint8Array): Uint8Array {
  const zipped = gzipSync(bytes, { level: 9 });
  zipped[9] = 255; // the operating system, RFC 1952: unknown
  return zipped;
}

function refuseOddPath(path: string): void {
  const steps = path.split('/');
  if (steps.some((step) => step === '' || step === '.' || step === '..'))
    throw new LayerPathInvalid({ path });
}
