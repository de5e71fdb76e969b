/** Counts how many cases of a run are examples of each row of rows.yaml. */

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { readData } from '../../../../src/documents/read-data.ts';
import type { PullAnswer } from '../answers.ts';
import type { OracleCase } from '../generator/oracle-case.ts';
import type { Line } from '../lines.ts';
import { rowsOfAnswer } from './answer-rows.ts';

const RowsFile = z.strictObject({
  rows: z.array(
    z.strictObject({
      id: z.string(),
      says: z.string(),
      lines: z.array(z.string()).optional(),
      'found-by': z.literal('answer').optional(),
    }),
  ),
});
type Row = z.infer<typeof RowsFile>['rows'][number];

/** The rows that one line has. */
export async function readRows({ name }: Line): Promise<readonly Row[]> {
  const file = new URL('rows.yaml', import.meta.url);
  const { rows } = readData(await readFile(file, 'utf8'), 'rows.yaml', RowsFile);
  return rows.filter(({ lines }) => lines === undefined || lines.includes(name));
}

/** Row → number of cases. A row that is not in the file is counted too, so that it is missed there. */
export function countRows(
  rows: readonly Row[],
  cases: readonly OracleCase[],
  answers: readonly PullAnswer[],
): ReadonlyMap<string, number> {
  const counts = new Map(rows.map(({ id }) => [id, 0]));
  for (const [index, one] of cases.entries()) {
    const answer = answers[index];
    const found = new Set([
      ...one.rows,
      ...(answer === undefined ? [] : rowsOfAnswer(answer, one)),
    ]);
    for (const id of found) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Rows that no case is an example of. */
export function missingRows(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].filter(([, count]) => count === 0).map(([id]) => id);
}

/** `1200 key/server`, a line for each row. */
export function rowTable(counts: ReadonlyMap<string, number>): string {
  const lines = [...counts].map(([id, count]) => `${`${count}`.padStart(6)} ${id}`);
  return `cases for each row:\n${lines.join('\n')}`;
}
