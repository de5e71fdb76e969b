/** What all measurements share: one row for each thing that was timed, and processes that are timed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** One line of the table; `seconds` undefined: not measured, and `note` says why. */
export interface Row {
  readonly what: string;
  readonly who: string;
  readonly seconds: number | undefined;
  readonly note?: string;
}

/** Seconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Runs a program to its end; rejects with its output unless it exits with 0. */
export async function runCommand(command: readonly string[], folder: string): Promise<void> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null]; // null for a signal
  if (code !== 0)
    throw new Error(`${command.join(' ')} ended with ${code}\n${(await output).join('')}`);
}

/** `node slipway ARGUMENTS`, with the Node that runs this. */
export function slipwayCommand(...args: readonly string[]): readonly string[] {
  return [process.execPath, new URL('../bin/slipway.mjs', import.meta.url).pathname, ...args];
}

/** The head of the table. */
export const tableHead = [
  '| what | who | seconds | ratio | note |',
  '| --- | --- | ---: | ---: | --- |',
].join('\n');

/** Rows of the Markdown table; ratios are to the first row of the same `what`. */
export function formatRows(rows: readonly Row[]): string {
  return rows
    .map(({ what, who, seconds, note = '' }) => {
      const first = rows.find((row) => row.what === what)?.seconds;
      const ratio =
        seconds === undefined || first === undefined ? '' : (seconds / first).toFixed(2);
      return `| ${what} | ${who} | ${seconds?.toFixed(2) ?? ''} | ${ratio} | ${note} |`;
    })
    .join('\n');
}
