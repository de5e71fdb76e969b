import { redact } from '../shared/secret.ts';

/**
 * Text that may come from outside, safe to be shown: credentials are removed, and control characters
 * become blanks, since a registry's answer must not move the cursor. Line breaks stay.
 */
export function cleanText(text: string): string {
  return redact(text).replaceAll(/[^\P{Cc}\n]+/gu, ' ');
}

/** The same in one line. */
export function cleanLine(text: string): string {
  return redact(text).replaceAll(/\p{Cc}+/gu, ' ');
}
