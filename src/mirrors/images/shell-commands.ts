/** Commands in a shell script, as far as a lint needs them; no expansion. */

import { shellParts } from './shell-parts.ts';

/** One command with its words; quotes around and in them are left out. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** Of the line on which it begins, counted from 1. */
  readonly line: number;
}

/** What stands between two commands: `a | b`, `a && b`, `$(a)`, `` `a` ``. */
const separator = /\|\|?|&&?|;|\$\(|[()`]/;

/** Words before a command that are none themselves. */
const keywords = new Set(['if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{', 'sudo']);

/** Commands, and what people call their own, that only print or mention what stands behind them. */
const mentions =
  /^(?:echo|printf|command|which|type|man|alias|die|fail|usage|help|say|(?:log|info|warn|error)(?:[_-]?\w+)?)$/i;

/**
 * The commands of a script in their order: `sudo crictl images | grep pause` → two. Comments and texts that
 * are handed over (`<<EOF`) are left out, as is what is only printed; a `\` at the end of a line joins it
 * with the next one.
 */
export function shellCommands(text: string): readonly ShellCommand[] {
  return joinedLines(withoutDocuments(text.split(/\r?\n/))).flatMap(({ text: line, number }) =>
    runBy(withoutComment(line))
      .map(wordsOf)
      .filter(isRun)
      .map((words) => ({ words, line: number })),
  );
}

/** The parts of a line that may run something; what is between quotes may be for another shell. */
function runBy(line: string): readonly string[] {
  const parts = shellParts(line)?.filter((part) => isRun(wordsOf(part))) ?? [line];
  return parts.flatMap((part) => part.split(separator));
}

function wordsOf(part: string): readonly string[] {
  return part.split(/\s+/).map(unquoted).filter(Boolean);
}

function isRun(words: readonly string[]): boolean {
  const first = words.find((word) => !keywords.has(word));
  return first !== undefined && !mentions.test(first);
}

function unquoted(word: string): string {
  return word.replaceAll(/["']/g, '');
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s)#.*$/, '$1');
}

/** Empties the lines of texts for other programs; a shell reads its own as commands. */
function withoutDocuments(lines: readonly string[]): readonly string[] {
  let end: string | undefined;
  return lines.map((line) => {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      return '';
    }
    const [, word] = /<<-?\s*["']?(\w+)["']?/.exec(withoutComment(line)) ?? [];
    if (word !== undefined && !/\b(?:ba|da|k|z)?sh\b/.test(line)) end = word;
    return line;
  });
}

interface JoinedLine {
  readonly text: string;
  readonly number: number;
}

function joinedLines(lines: readonly string[]): readonly JoinedLine[] {
  const joined: JoinedLine[] = [];
  let open: JoinedLine | undefined;
  for (const [index, line] of lines.entries()) {
    const { text, number } = open ?? { text: '', number: index + 1 };
    const goesOn = /(?:^|[^\\])\\$/.test(line);
    const whole = text + (goesOn ? `${line.slice(0, -1)} ` : line);
    open = goesOn ? { text: whole, number } : undefined;
    if (open === undefined) joined.push({ text: whole, number });
  }
  return open === undefined ? joined : [...joined, open];
}
