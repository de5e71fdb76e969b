import { redact } from '../../shared/secret.ts';

const name = String.raw`["']?[\w.-]*(?:password|passwd|secret|token|auth|authorization|private_?key|cookie|api-?key)["']?`;
/** A key for a login and its value, up to the end of the line; what only opens a block is none. */
const wholeLine = new RegExp(
  String.raw`^([-+ ]?\s*(?:-\s+)?${name}\s*[:=]\s*)(?![{[|>]?\s*$)\S.*$`,
  'i',
);
const inside = new RegExp(String.raw`(${name}\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}{[\]]+)`, 'gi');
/** Keys and certificates that are written into the file itself; a digest is none. */
const longBase64 = /(?<![A-Za-z0-9+/])(?<!sha(?:256|512):)[A-Za-z0-9+/]{60,}={0,2}/g;

/**
 * A line of a configuration without what lets somebody in: `password = "p"` → `password = [secret]`.
 * Rather too much than too little: the line is for looking at, not for copying.
 */
export function hideSecrets(line: string): string {
  const hidden = line.replace(wholeLine, '$1[secret]').replace(inside, '$1[secret]');
  return redact(hidden.replace(longBase64, '[secret]'));
}
