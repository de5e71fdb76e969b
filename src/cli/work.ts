import { systemClock } from '../shared/ports.ts';
import { type Run, startRun } from '../shared/run.ts';
import type { Host } from './host.ts';
import { showProgress, tickEveryMs } from './progress.ts';
import { type StopSignal, watchSignals } from './signals.ts';
import type { Terminal } from './terminal.ts';
import { terminalLog } from './terminal-log.ts';

/** What surrounds a command that takes time: signals, progress, log. End it before the last word. */
export interface Work {
  readonly run: Run;
  /** The signal that told the work to stop, if one did. */
  readonly stoppedBy: StopSignal | undefined;
  /** The main step that ended last. */
  readonly lastStep: string | undefined;
  /** Tells the work to stop, for another reason than a signal. */
  abort(reason: unknown): void;
  /** Stops listening and drawing, and puts the cursor back. May be called twice. */
  end(): void;
}

/** Most work stops before anybody wonders whether the Ctrl-C was heard. */
const wonderAfterMs = 500;
const stillStopping = 'stopping what is under way; a second Ctrl-C ends at once';

/** Sets up the run of one command on this host. */
export function startWork(host: Host, terminal: Terminal, debug: boolean): Work {
  // Progress that nobody reads any more is no reason to stop.
  host.stderr.on('error', () => {});
  const progress = showProgress(terminal, systemClock);
  const everyMs = terminal.isLive ? tickEveryMs.live : tickEveryMs.plain;
  const timer = setInterval(() => progress.tick(), everyMs).unref();
  const signals = watchSignals(host, systemClock, (exitCode) => {
    progress.stop();
    host.exit(exitCode);
  });
  const run = startRun({
    signal: signals.signal,
    log: terminalLog(terminal, debug),
    onProgress: (event) => progress.onProgress(event),
  });
  let wonder: NodeJS.Timeout | undefined;
  signals.signal.addEventListener('abort', () => {
    wonder = setTimeout(() => terminal.say(stillStopping), wonderAfterMs).unref();
  });
  return {
    run,
    get stoppedBy() {
      return signals.received;
    },
    get lastStep() {
      return progress.lastFinished;
    },
    abort: (reason) => signals.abort(reason),
    end() {
      clearInterval(timer);
      clearTimeout(wonder);
      progress.stop();
      signals[Symbol.dispose]();
    },
  };
}
