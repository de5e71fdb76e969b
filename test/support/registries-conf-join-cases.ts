/** Several wrong registries.conf files as one: keys of the top in front, the tables one behind the other. */

import { type CombinedCase, joinFiles, type LintCase, pickFiles, type Side } from './lint-case.ts';
import { MAIN } from './registries-conf-lint-tables.ts';

/** A line of one of the cases. */
interface Line {
  readonly of: LintCase;
  /** Where it stood. */
  readonly number: number;
  readonly text: string;
}

/** Undefined where two want another file in two ways, or one key of the top. */
export function joinConf(cases: readonly LintCase[], side: Side): CombinedCase | undefined {
  const others = joinFiles(cases.map((one) => pickFiles(one, (path) => path !== MAIN)[side]));
  const parts = cases.map((one) => partsOf(one, side));
  const top = parts.flatMap((part) => part.top);
  const keys = top.map(({ text }) => text.split('=')[0]);
  if (others === undefined || new Set(keys).size < keys.length) return undefined;
  const lines = [...top, ...parts.flatMap((part) => part.tables)];
  const text = lines.map((line) => `${line.text}\n`).join('');
  const main = text === '' ? {} : { [MAIN]: text };
  return { files: { ...others, ...main }, at: cases.map((one) => placeIn(one, lines)) };
}

function partsOf(one: LintCase, side: Side): Record<'top' | 'tables', readonly Line[]> {
  const texts = (one[side][MAIN] ?? '').split('\n').slice(0, -1);
  const lines = texts.map((text, index): Line => ({ of: one, number: index + 1, text }));
  const first = lines.findIndex(({ text }) => text.startsWith('['));
  const end = first < 0 ? lines.length : first;
  return { top: lines.slice(0, end), tables: lines.slice(end) };
}

function placeIn(one: LintCase, lines: readonly Line[]): string {
  if (!one.at.startsWith(`${MAIN}:`)) return one.at;
  const [, number, column] = one.at.split(':');
  const index = lines.findIndex((line) => line.of === one && line.number === Number(number));
  return [MAIN, index + 1, ...(column === undefined ? [] : [column])].join(':');
}
