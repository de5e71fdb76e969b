import type { EventEmitter } from 'node:events';
import type { Clock } from '../shared/ports.ts';
import { signalExitCodes } from './exit-codes.ts';

/** The signals that end a command in order. */
export type StopSignal = Exclude<keyof typeof signalExitCodes, 'SIGPIPE'>;

const stopSignals: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A terminal and `bin/slipway.mjs` may both pass one Ctrl-C on; nobody presses twice that fast. */
const sameSignalMs = 50;

/** Watches for signals until it is disposed. */
export interface SignalWatch extends Disposable {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** Aborts for another reason than a signal. */
  abort(reason: unknown): void;
  /** The signal that came, if one did. */
  readonly received: StopSignal | undefined;
}

/**
 * The first Ctrl-C (or SIGTERM, SIGHUP) asks the work to stop and leave nothing half done; at the
 * second one `kill` is called with the exit code, for work that does not stop.
 */
export function watchSignals(
  source: Pick<EventEmitter, 'on' | 'off'>,
  clock: Clock,
  kill: (exitCode: number) => void,
): SignalWatch {
  const controller = new AbortController();
  let received: StopSignal | undefined;
  let receivedMs = 0;
  const handle = (name: StopSignal) => {
    const now = clock.monotonic();
    if (received === name && now - receivedMs < sameSignalMs) return;
    if (received !== undefined) return kill(signalExitCodes[name]);
    received = name;
    receivedMs = now;
    controller.abort(new Error(`stopped by ${name}`));
  };
  for (const name of stopSignals) source.on(name, handle);
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    get received() {
      return received;
    },
    [Symbol.dispose]() {
      for (const name of stopSignals) source.off(name, handle);
    },
  };
}
