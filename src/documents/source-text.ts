import { formatMebibytes } from '../shared/quantities.ts';
import type { Position, Problem } from './problem.ts';

/** Larger than any document that people write; kinds that programs write may allow more. */
export const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

/** The text of a document's file, or the one problem that keeps it from being read. */
export type SourceText = { readonly text: string } | { readonly problem: Problem };

/**
 * Turns the bytes of a file into text: at most `maxBytes`, valid UTF-8 with or without a byte order
 * mark, no control characters. Problems: DOC_TOO_LARGE, DOC_NOT_TEXT.
 */
export function readSourceText(
  source: string | Uint8Array,
  file: string,
  maxBytes = DEFAULT_MAX_BYTES,
): SourceText {
  const sizeBytes = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength;
  if (sizeBytes > maxBytes) return { problem: tooLarge(file, sizeBytes, maxBytes) };
  const text = typeof source === 'string' ? source.replace(/^\uFEFF/, '') : decode(source);
  if (text === undefined) return { problem: notUtf8(file, source) };
  const control = findControlCharacter(text);
  return control === -1 ? { text } : { problem: controlCharacter(file, text, control) };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

// YAML allows tab, line feed and carriage return of the characters below U+0020, and not U+007F.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;

function findControlCharacter(text: string): number {
  return text.search(forbidden);
}

function tooLarge(file: string, sizeBytes: number, maxBytes: number): Problem {
  return {
    ...{ file, line: 1, column: 1, code: 'DOC_TOO_LARGE' },
    message: `the file has ${formatMebibytes(sizeBytes)}; at most ${formatMebibytes(maxBytes)} are read`,
    hint: 'check that this is the right file, or split it into several',
  };
}

function notUtf8(file: string, source: string | Uint8Array): Problem {
  const bytes = Buffer.from(source);
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return {
    ...{ file, ...firstBadByte(bytes), code: 'DOC_NOT_TEXT' },
    message: isUtf16
      ? 'the file is UTF-16 text, not UTF-8'
      : 'the file is not UTF-8 text from here on',
    hint: 'save it as UTF-8',
  };
}

/** A multi-byte character never holds a line feed, so each line can be decoded by itself. */
function firstBadByte(bytes: Buffer): Position {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    const part = bytes.subarray(start, end);
    if (decode(part) === undefined) return { line, column: part.toString().indexOf('\uFFFD') + 1 };
    start = end + 1;
  }
  return { line, column: 1 };
}

function controlCharacter(file: string, text: string, offset: number): Problem {
  const before = text.slice(0, offset).split('\n');
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
  return {
    ...{
      file,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      code: 'DOC_NOT_TEXT',
    },
    message: `the control character U+${code} does not belong into a text file`,
    hint: 'delete it, or write it as an escape inside double quotes',
  };
}
