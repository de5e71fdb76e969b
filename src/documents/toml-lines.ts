/** The lines of a TOML text as people see them: statements, the comments above them, ends of lines. */

import type { TomlHeader, TomlKey, TomlScan, TomlStep } from './toml-scan.ts';

/** A header or a `key = value` line. */
export type TomlStatement = TomlHeader | TomlKey;

/** Headers and keys in one list, in file order. */
export function tomlStatements({ headers, keys }: TomlScan): readonly TomlStatement[] {
  return [...headers, ...keys].sort((a, b) => a.start - b.start);
}

/** True for the path itself and everything inside it. */
export function isAtOrBelow(steps: readonly TomlStep[], above: readonly TomlStep[]): boolean {
  return above.every((step, index) => steps[index] === step);
}

/** `\r\n` if the first line ends so, else `\n`. */
export function lineEnding(text: string): string {
  const first = text.indexOf('\n');
  return text[first - 1] === '\r' ? '\r\n' : '\n';
}

/** The line break that stands at a place; at the end of a text the one of its first line. */
export function lineEndingAt(text: string, at: number): string {
  if (text[at] === '\n') return '\n';
  return text.startsWith('\r\n', at) ? '\r\n' : lineEnding(text);
}

/** Where the line of a statement begins, its indent included. */
export function lineStart(text: string, { start }: TomlStatement): number {
  const at = text.lastIndexOf('\n', start - 1) + 1;
  return at === 0 && text.startsWith('\uFEFF') ? 1 : at;
}

/** The blanks before a statement. */
export function indentOf(text: string, statement: TomlStatement): string {
  return text.slice(lineStart(text, statement), statement.start);
}

/** Where the last line of a statement ends: behind its comment, before its line break. */
export function lineEnd(text: string, statement: TomlStatement): number {
  const behind = 'value' in statement ? statement.value.end : statement.end;
  const at = text.indexOf('\n', behind);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

/** The place behind the line break that follows; the end of the text if none does. */
export function nextLine(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 ? text.length : found + 1;
}

/**
 * Where the comment lines start that stand directly above a statement; its own line if there are none.
 * Comments at the top of the file are about the file.
 */
export function commentStart(text: string, statement: TomlStatement): number {
  let from = lineStart(text, statement);
  for (let at = from; at > 0; ) {
    const before = text.lastIndexOf('\n', at - 2) + 1;
    if (!/^[ \t]*#/.test(text.slice(before, at))) return from;
    if (before === 0) return lineStart(text, statement);
    at = before;
    from = at;
  }
  return from;
}

/**
 * Where the last of the comment lines ends that follow a statement directly, before its line break; the
 * end of the statement itself if there are none. Those directly above `next` are about that.
 */
export function commentsEnd(
  text: string,
  statement: TomlStatement,
  next: TomlStatement | undefined,
): number {
  const limit = next === undefined ? text.length : commentStart(text, next);
  let end = lineEnd(text, statement);
  for (let at = nextLine(text, end); at < limit; at = nextLine(text, at)) {
    const line = /^[ \t]*#[^\r\n]*/.exec(text.slice(at, nextLine(text, at)))?.[0];
    if (line === undefined) break;
    end = at + line.length;
  }
  return end;
}
