import { signalExitCodes } from './exit-codes.ts';
import { failuresAsJson, formatFailures } from './failure-view.ts';
import { reportFailure } from './failures.ts';
import { shellLine } from './shell-line.ts';
import type { StopSignal } from './signals.ts';
import type { Terminal } from './terminal.ts';

/** The last word of a command that did not succeed. */
export interface Ending {
  readonly exitCode: number;
  readonly text: string;
  readonly json: unknown;
}

/** What is known about a command that was stopped by a signal. */
export interface Interruption {
  readonly argv: readonly string[];
  /** The main step that had ended, if one had. */
  readonly lastStep: string | undefined;
  readonly signal: StopSignal;
}

/** The ending of a command that threw. */
export function failedEnding(error: unknown, terminal: Terminal, debug: boolean): Ending {
  const report = reportFailure(error);
  const look = { paint: terminal.paintMessage, width: terminal.messageWidth, debug };
  return {
    exitCode: report.exitCode,
    text: formatFailures(report, look),
    json: failuresAsJson(report, debug),
  };
}

/** `stopped after "copy"; go on: slipway load openfuyao.bundle`; the command works as printed. */
export function interruptedEnding({ argv, lastStep, signal }: Interruption): Ending {
  const exitCode = signalExitCodes[signal];
  const after = lastStep === undefined ? '' : ` after "${lastStep}"`;
  const goOn = shellLine(['slipway', ...argv]);
  return {
    exitCode,
    text: `stopped${after}; go on: ${goOn}`,
    json: { error: { exitCode, stoppedBy: signal, after: lastStep, goOn } },
  };
}

/**
 * Whether a command failed because it was told to stop: the error, one of its causes or all that it
 * collected is the abort. Another failure on the way out is shown as such.
 */
export function isInterruption(error: unknown, signal: AbortSignal | undefined): boolean {
  let at: unknown = error;
  for (let depth = 0; at instanceof Error && depth < 8; depth += 1) {
    if (at === signal?.reason || at.name === 'AbortError') return true;
    if (at instanceof AggregateError) {
      const errors: readonly unknown[] = at.errors;
      return errors.length > 0 && errors.every((one) => isInterruption(one, signal));
    }
    at = at.cause;
  }
  return false;
}
