import { redact } from '../shared/secret.ts';

/**
 * Text from a document as a message may show it: no logins, and no character that could move the
 * cursor or forge a line. `visibleText('a\u001b[2Jb')` → `a\u001b[2Jb` with the escape spelled out.
 */
export function visibleText(text: string): string {
  return redact(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
