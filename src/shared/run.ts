import type { Log } from './ports.ts';
import { silentLog } from './ports.ts';

/**
 * What a long operation reports while it works. Steps nest by their `path`; bytes are counted
 * where they pass, so that the terminal can show rate and time left.
 */
export type ProgressEvent =
  | { readonly kind: 'step-started'; readonly path: readonly string[] }
  | { readonly kind: 'step-finished'; readonly path: readonly string[] }
  | { readonly kind: 'step-failed'; readonly path: readonly string[]; readonly error: unknown }
  /** `path` will move or check this many bytes or items more than announced before. */
  | {
      readonly kind: 'expect';
      readonly path: readonly string[];
      readonly bytes: number;
      readonly items: number;
    }
  /** Bytes or items of the announced work that are done. */
  | {
      readonly kind: 'advance';
      readonly path: readonly string[];
      readonly bytes: number;
      readonly items: number;
    }
  /** Something worth a line of its own. */
  | { readonly kind: 'note'; readonly path: readonly string[]; readonly text: string };

/**
 * Goes down the call tree as the last parameter of everything that takes long: the abort signal,
 * the log, and the only way to report progress (style rule 10).
 */
export interface Run {
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly path: readonly string[];
  /** Runs `work` as a named step below this one; its failure is reported and passed on. */
  step<T>(name: string, work: (run: Run) => Promise<T>): Promise<T>;
  /** Announces work: `expect({ bytes: 4096, items: 1 })`. */
  expect(work: { readonly bytes?: number; readonly items?: number }): void;
  /** Counts announced work as done. */
  advance(work: { readonly bytes?: number; readonly items?: number }): void;
  note(text: string): void;
}

/** Where a root run sends its events and log lines; everything may be left out. */
export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly log?: Log;
  readonly onProgress?: (event: ProgressEvent) => void;
}

const never = new AbortController().signal;

/** A root run: `startRun({ signal, log, onProgress })`; without options it is silent and endless. */
export function startRun(options: RunOptions = {}): Run {
  const report = options.onProgress ?? (() => {});
  return childRun(options.signal ?? never, options.log ?? silentLog, report, []);
}

/** The same run under another signal, for a part that may be cancelled or timed on its own. */
export function withSignal(run: Run, signal: AbortSignal): Run {
  return {
    ...run,
    signal,
    step: (name, work) => run.step(name, (inner) => work(withSignal(inner, signal))),
  };
}

function childRun(
  signal: AbortSignal,
  log: Log,
  report: (event: ProgressEvent) => void,
  path: readonly string[],
): Run {
  return {
    signal,
    log,
    path,
    step: (name, work) => runStep(childRun(signal, log, report, [...path, name]), report, work),
    expect: ({ bytes = 0, items = 0 }) => report({ kind: 'expect', path, bytes, items }),
    advance: ({ bytes = 0, items = 0 }) => report({ kind: 'advance', path, bytes, items }),
    note: (text) => report({ kind: 'note', path, text }),
  };
}

async function runStep<T>(
  run: Run,
  report: (event: ProgressEvent) => void,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  run.signal.throwIfAborted();
  report({ kind: 'step-started', path: run.path });
  try {
    const result = await work(run);
    report({ kind: 'step-finished', path: run.path });
    return result;
  } catch (error) {
    report({ kind: 'step-failed', path: run.path, error });
    throw error;
  }
}
