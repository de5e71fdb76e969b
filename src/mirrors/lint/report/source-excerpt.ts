import type { LinedText } from '../../../documents/lined-text.ts';
import { hideSecretsIn } from '../../diff/hide-secrets.ts';

/** The part of a file that a finding is about, as it may be shown. */
export interface SourceExcerpt {
  /** The line without logins and control characters. */
  readonly text: string;
  /** Where in `text` the thing begins and ends, counted from 0; absent when only the line is known. */
  readonly mark?: { readonly start: number; readonly end: number };
}

/** A quoted text, a header of TOML, a name up to what ends one in any of the formats, or one character. */
const wordAt = /^(?:"[^"]*"|'[^']*'|\[\[?[^\]]*\]\]?|[^\s,"'[\]{}#=]*[^\s,"'[\]{}#=:]|.)/;

/** So far up it is looked for what a line belongs to: a header, a value of several lines. */
const mostAbove = 200;

/**
 * The line of a finding: `excerptOf(text, 3, 10)` → the third line, marked from its tenth character to the
 * end of the word there. Values of logins are `[secret]`; undefined past the end of the text.
 */
export function excerptOf(
  source: LinedText,
  line: number,
  column: number | undefined,
): SourceExcerpt | undefined {
  const raw = source.line(line);
  if (raw === undefined) return undefined;
  const above: string[] = [];
  for (let at = Math.max(1, line - mostAbove); at < line; at += 1)
    above.push(source.line(at) ?? '');
  const showable = (one: string) => inOneLine(hideSecretsIn([...above, one]).at(-1) ?? '');
  const text = showable(raw);
  // Behind something that was hidden the columns are others.
  const isMoved =
    column !== undefined && showable(raw.slice(0, column - 1)) !== text.slice(0, column - 1);
  if (column === undefined || isMoved || column > text.length) return { text };
  const start = column - 1;
  const [word = ' '] = wordAt.exec(text.slice(start)) ?? [];
  return { text, mark: { start, end: start + word.length } };
}

/** A tab is one column for those who count, and eight for a terminal. */
function inOneLine(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, ' ');
}
