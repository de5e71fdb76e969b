import { digestOf, splitDigest } from '../oci/digest.ts';

/** Who wrote a text: `slipway-edited` is one of ours that is no longer as it was written. */
export type Author = 'slipway' | 'slipway-edited' | 'somebody-else';

const MARKER = '# Written by Slipway: ';
const sealed = /^(?<line># Written by Slipway: [^\n]*) \(sha256:(?<seal>[0-9a-f]{16})\)\n/;

/**
 * A whole file of ours: a marker line that says what it is about and what its text hashes to, then
 * the body. `ownText('where x is pulled from', 'server = "…"\n')`.
 */
export function ownText(subject: string, body: string): string {
  const line = `${MARKER}${subject}. Do not edit, "slipway mirrors write" renews it`;
  return `${line} (sha256:${sealOf(line, body)})\n${body}`;
}

/** Tells our files by their marker line, and by its digest those that somebody edited since. */
export function authorOf(bytes: Uint8Array): Author {
  const text = Buffer.from(bytes).toString('utf8');
  if (!text.startsWith(MARKER)) return 'somebody-else';
  const found = sealed.exec(text);
  const { line = '', seal } = found?.groups ?? {};
  const body = text.slice(found?.[0].length ?? 0);
  return seal === sealOf(line, body) ? 'slipway' : 'slipway-edited';
}

/** Short, for it guards against accidents: who edits on purpose and renews it wants the file replaced. */
function sealOf(line: string, body: string): string {
  return splitDigest(digestOf(`${line}\n${body}`)).hex.slice(0, 16);
}
