import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { ProcessFacts } from './environment.ts';
import type { OutputStream } from './terminal.ts';

/** The part of `process` that the program uses; tests pass their own. */
export interface Host extends ProcessFacts, Pick<EventEmitter, 'on' | 'off'> {
  readonly argv: readonly string[];
  /** Touched only by who reads it: Node opens it then. */
  readonly stdin: Readable;
  readonly stdout: OutputStream & Pick<EventEmitter, 'on' | 'off'>;
  readonly stderr: OutputStream & Pick<EventEmitter, 'on' | 'off'>;
  /** Chance for the jitter of retries; by default Math.random. Tests that do not wait give zeros. */
  readonly random?: () => number;
  exitCode?: number | string | null | undefined;
  /** Ends at once, for a second Ctrl-C only. */
  exit(code: number): void;
}
