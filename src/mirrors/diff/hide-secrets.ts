import { redact } from '../../shared/secret.ts';

const name = String.raw`["']?[\w.-]*(?:password|passwd|secret|token|auth|authorization|private_?key|cookie|api-?key)["']?`;
/** A key for a login and its value, up to the end of the line; what only opens a block is none. */
const wholeLine = new RegExp(
  String.raw`^([-+ ]?\s*(?:-\s+)?${name}\s*[:=]\s*)(?![{[|>]?\s*$)\S.*$`,
  'i',
);
const inside = new RegExp(String.raw`(${name}\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}{[\]]+)`, 'gi');
/** Keys that are written into the file itself; a digest is none. */
const longBase64 = /(?<![A-Za-z0-9+/])(?<!sha(?:256|512):)[A-Za-z0-9+/]{60,}={0,2}/g;
/** A certificate within one line, its lines parted by `\n`. */
const certificateInLine = /(-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----)/;
const edge = /-----(?<edge>BEGIN|END) (?<what>[A-Z0-9 ]+)-----/g;
/** A line of a PEM block, by RFC 7468 of 64 characters. */
const blockLine = /^[\s#]*[A-Za-z0-9+/]{1,76}={0,2}\s*$/;

/**
 * A line of a configuration without what lets somebody in: `password = "p"` → `password = [secret]`.
 * Rather too much than too little: the line is for looking at, not for copying.
 */
export function hideSecrets(line: string): string {
  const named = line.replace(wholeLine, '$1[secret]').replace(inside, '$1[secret]');
  const parts = named.split(certificateInLine);
  const hidden = parts.map((part, at) => (at % 2 === 1 ? part : part.replace(longBase64, hideKey)));
  return redact(hidden.join(''));
}

/** Talos has certificates as base64 of their PEM text. */
function hideKey(text: string): string {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  const isCertificate = decoded.startsWith('-----BEGIN CERTIFICATE-----');
  return isCertificate && !decoded.includes('PRIVATE KEY') ? text : '[secret]';
}

/** The lines of a whole file in the same way; everybody may see what is in the PEM block of a certificate. */
export function hideSecretsIn(lines: readonly string[]): readonly string[] {
  let block: string | undefined;
  return lines.map((line) => {
    const last = [...line.matchAll(edge)].at(-1)?.groups;
    if (last !== undefined) block = last['edge'] === 'BEGIN' ? last['what'] : undefined;
    if (last !== undefined || block === undefined || !blockLine.test(line))
      return hideSecrets(line);
    return block === 'CERTIFICATE' ? line : line.replace(/[^\s#].*$/, '[secret]');
  });
}
