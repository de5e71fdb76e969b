/** Bytes that a TOML library refuses before it looks at what they mean. */

import { isUtf8 } from 'node:buffer';
import { RefusedToml, type TomlFault } from './toml-fault.ts';

/** The bytes as text, a byte order mark kept, so that offsets are those of the file. */
export function textOfBytes(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The first line that has a byte which is not UTF-8. */
export function utf8Fault(bytes: Uint8Array): TomlFault | undefined {
  if (isUtf8(bytes)) return undefined;
  let line = 1;
  for (let from = 0; ; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) break;
    from = end + 1;
  }
  const reason = 'the line has a byte that is not UTF-8, even if only in a comment';
  return { kind: 'encoding', reason, line };
}

/** Throws for a control character anywhere, and for a carriage return without its line feed. */
export function refuseControls(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const found = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\r(?!\n)/.exec(text);
  if (found === null) return;
  const code = found[0].charCodeAt(0).toString(16).padStart(4, '0');
  throw new RefusedToml(`control characters are not allowed: U+${code.toUpperCase()}`, found.index);
}
