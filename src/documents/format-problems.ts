import { compareText } from '../shared/json.ts';
import type { Problem } from './problem.ts';
import { visibleText } from './visible-text.ts';

const LONGEST_PADDED_MESSAGE = 96;

/**
 * Problems as the terminal shows them: place, message, code, hints below, and a count at the end.
 *
 * ```text
 * release.yaml:14:9  unknown field "image" in spec.components[2]; did you mean "images" (a list)?  DOC_UNKNOWN_FIELD
 * 1 problem, nothing was written
 * ```
 * Ordered by file (in the order of first appearance) and place. Problems in a row with one hint show it
 * once, below the last. Ends without a line break.
 */
export function formatProblems(problems: readonly Problem[]): string {
  const sorted = sortProblems(problems).map((problem) => ({
    ...problem,
    message: visibleText(problem.message),
  }));
  const placeWidth = Math.max(0, ...sorted.map((problem) => placeOf(problem).length)) + 1;
  const lengths = sorted.map((problem) => problem.message.length);
  const messageWidth = Math.max(0, ...lengths.filter((length) => length <= LONGEST_PADDED_MESSAGE));
  const lines = sorted.flatMap((problem, index) => [
    `${placeOf(problem).padEnd(placeWidth)} ${problem.message.padEnd(messageWidth)}  ${problem.code}`,
    // Ten images of a registry that is down have one remedy: it stands below the last of them.
    ...(sorted[index + 1]?.hint === problem.hint ? [] : hintLines(problem, placeWidth + 1)),
  ]);
  const count = sorted.length === 1 ? '1 problem' : `${sorted.length} problems`;
  return [...lines, `${count}, nothing was written`].join('\n');
}

/** The same problems by file, in the order in which the files were given, then by place and code. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  const files = [...new Set(problems.map((problem) => problem.file))];
  return problems.toSorted(
    (a, b) =>
      files.indexOf(a.file) - files.indexOf(b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(a.code, b.code),
  );
}

function placeOf(problem: Problem): string {
  return `${problem.file}:${problem.line}:${problem.column}`;
}

function hintLines(problem: Problem, indent: number): string[] {
  if (problem.hint === undefined) return [];
  return problem.hint.split('\n').map((line) => ' '.repeat(indent) + visibleText(line));
}
