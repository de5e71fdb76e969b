import type { Run } from './run.ts';

/**
 * Something that runs until it is stopped (style rule 12): start once; `ready` resolves when it
 * answers; `stop` at any time, also twice, also during start: resolves within 10 s and leaves no
 * timer, socket or child process.
 */
export interface Service extends AsyncDisposable {
  start(run: Run): Promise<void>;
  ready(): Promise<void>;
  stop(): Promise<void>;
}
