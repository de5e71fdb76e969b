/** The versions that stand for all of a runtime, where nobody says which one a node runs. */

import type { RuntimeName } from '../../site/runtime-id.ts';
import { linesOf } from '../explain/runtime-lines.ts';

/** One line of releases: its name, and the versions of it that are told apart, oldest first. */
export interface LintLine {
  /** As people call it: `1.7`. */
  readonly line: string;
  readonly versions: readonly string[];
}

/**
 * The lines of a runtime, oldest first: containerd → 1.6 with 1.6.39, 1.7 with 1.7.31 and 1.7.34, and so on.
 * Rejects with DOCUMENT_INVALID when a data file is damaged.
 */
export async function lintLinesOf(name: RuntimeName): Promise<readonly LintLine[]> {
  const versions = (await linesOf(name)).flatMap(({ version }) => version ?? []);
  return Array.from(Map.groupBy(versions, lineOf), ([line, found]) => ({ line, versions: found }));
}

/** `1.7.34` → `1.7`, `v1.28.8+k3s1` → `v1.28`. */
export function lineOf(version: string): string {
  return /^v?\d+\.\d+/.exec(version)?.[0] ?? version;
}

/**
 * For which lines something holds, in words: versions 1.6.39 and 1.7.31 of the lines 1.6 (1.6.39), 1.7
 * (1.7.31, 1.7.34) → `1.6, 1.7 up to 1.7.31`; undefined when it holds for all of them.
 */
export function describeLines(
  lines: readonly LintLine[],
  holds: ReadonlySet<string>,
): string | undefined {
  if (lines.every(({ versions }) => versions.every((one) => holds.has(one)))) return undefined;
  const words: string[] = [];
  let whole: LintLine[] = [];
  const endRun = () => {
    const [first] = whole;
    const last = whole.at(-1);
    if (first !== undefined && last !== undefined) {
      words.push(first === last ? first.line : `${first.line}–${last.line}`);
    }
    whole = [];
  };
  for (const line of lines) {
    if (line.versions.every((one) => holds.has(one))) whole.push(line);
    else {
      endRun();
      const part = describePart(line, holds);
      if (part !== undefined) words.push(part);
    }
  }
  endRun();
  return words.join(', ');
}

function describePart({ line, versions }: LintLine, holds: ReadonlySet<string>) {
  const found = versions.filter((one) => holds.has(one));
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (first === versions[0]) return `${line} up to ${last}`;
  return last === versions.at(-1) ? `${line} from ${first}` : found.join(', ');
}
