import { formatProblems } from '../documents/format-problems.ts';
import { formatCount } from '../shared/quantities.ts';
import { alignColumns, wrapText } from './columns.ts';
import type { Failure, FailureReport } from './failures.ts';
import type { Paint } from './terminal.ts';

/** How failures are shown to people. */
export interface FailureLook {
  readonly paint: Paint;
  readonly width: number;
  readonly debug: boolean;
}

const indent = ' '.repeat(6);

/**
 * Failures as text: what is wrong with its code, why, what to do, then the count and the exit code.
 *
 * ```text
 * registry.local (source) sent sha256:aa… where sha256:bb… was asked for  BLOB_DIGEST_MISMATCH
 *       because  …
 *       do       Push it again: slipway load --only sha256:bb…
 * exit 69
 * ```
 */
export function formatFailures(report: FailureReport, look: FailureLook): string {
  const { failures, exitCode, summary } = report;
  const heads = alignColumns(failures.map((failure) => [failure.message, failure.code]));
  const blocks = failures.map((failure, index) => block(failure, heads[index] ?? '', look));
  const count = failures.length > 1 ? `${formatCount(failures.length, 'failure')} · ` : '';
  return [
    ...(summary === undefined ? [] : [look.paint('bold', summary)]),
    ...blocks,
    look.paint('dim', `${count}exit ${exitCode}`),
  ].join('\n');
}

/** The same as one JSON value: `{ error: { exitCode, failures: [{ code, message, fix, … }] } }`. */
export function failuresAsJson(report: FailureReport, debug: boolean): unknown {
  const failures = report.failures.map(({ stack, ...failure }) => ({
    ...failure,
    ...(debug && stack !== undefined && { stack }),
  }));
  return { error: { exitCode: report.exitCode, summary: report.summary, failures } };
}

function block(failure: Failure, head: string, look: FailureLook): string {
  if (failure.problems !== undefined) return formatProblems(failure.problems);
  return [headLine(failure, head, look), ...details(failure, look)].join('\n');
}

/** The code stands in its column as long as the line fits, else directly behind the message. */
function headLine(failure: Failure, head: string, look: FailureLook): string {
  const code = look.paint('dim', failure.code);
  if (failure.message.includes('\n') || head.length > look.width) {
    return `${look.paint('red', failure.message)}  ${code}`;
  }
  const gap = head.slice(failure.message.length, head.length - failure.code.length);
  return look.paint('red', failure.message) + gap + code;
}

function details(failure: Failure, look: FailureLook): readonly string[] {
  const room = look.width - indent.length - 9;
  const labelled = (label: string, text: string) =>
    text
      .split('\n')
      .flatMap((line) => wrapText(line, room))
      .map((line, index) => `${indent}${(index === 0 ? label : '').padEnd(9)}${line}`);
  const stack = look.debug && failure.stack !== undefined ? failure.stack.split('\n') : [];
  return [
    ...failure.because.flatMap((text) => labelled('because', text)),
    ...labelled('do', failure.fix),
    ...stack.map((line) => look.paint('dim', indent + line)),
  ];
}
