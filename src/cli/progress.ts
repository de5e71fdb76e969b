import type { Clock } from '../shared/ports.ts';
import type { ProgressEvent } from '../shared/run.ts';
import { liveLines, milestoneLine, plainLine } from './progress-lines.ts';
import { ProgressModel } from './progress-model.ts';
import type { Terminal } from './terminal.ts';

/** Shows the progress of one command. */
export interface Progress {
  /** Takes the events of the run. */
  onProgress(event: ProgressEvent): void;
  /** Draws again; called by a timer. */
  tick(): void;
  /** Removes what is drawn, puts the cursor back. May be called twice. */
  stop(): void;
  /** The main step that ended last. */
  readonly lastFinished: string | undefined;
}

/** How often to call `tick`: live, the spinner turns; in plain lines, each tick may print. */
export const tickEveryMs = { live: 100, plain: 1000 } as const;
const plainLineEveryMs = 10_000;

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';

/** A live area on a terminal, else plain lines: starts, ends, notes, and every ten seconds a line. */
export function showProgress(terminal: Terminal, clock: Clock): Progress {
  return terminal.isLive ? liveProgress(terminal, clock) : plainProgress(terminal, clock);
}

function plainProgress(terminal: Terminal, clock: Clock): Progress {
  const model = new ProgressModel();
  const look = { paint: terminal.paintMessage, width: terminal.messageWidth, frame: 0 };
  let lastLineMs = clock.monotonic();
  return {
    onProgress(event) {
      const milestone = model.apply(event, clock.monotonic());
      if (milestone === undefined) return;
      terminal.say(milestoneLine(milestone, look));
      lastLineMs = clock.monotonic();
    },
    tick() {
      const now = clock.monotonic();
      if (now - lastLineMs < plainLineEveryMs) return;
      lastLineMs = now;
      for (const step of model.running(now)) if (step.depth === 1) terminal.say(plainLine(step));
    },
    stop() {},
    get lastFinished() {
      return model.lastFinished;
    },
  };
}

function liveProgress(terminal: Terminal, clock: Clock): Progress {
  const model = new ProgressModel();
  let frame = 0;
  let drawnLines = 0;
  let isStopped = false;
  const look = () => ({ paint: terminal.paintMessage, width: terminal.messageWidth, frame });
  const area = {
    erase() {
      if (drawnLines > 0) terminal.draw(`\u001b[${drawnLines}A\r\u001b[0J`);
      drawnLines = 0;
    },
    draw() {
      const lines = isStopped ? [] : liveLines(model.running(clock.monotonic()), look());
      drawnLines = lines.length;
      if (lines.length > 0) terminal.draw(`${hideCursor}${lines.join('\n')}\n`);
    },
  };
  terminal.attach(area);
  return {
    onProgress(event) {
      const milestone = model.apply(event, clock.monotonic());
      // A start needs no line of its own: the step is drawn from now on.
      if (milestone === undefined || milestone.kind === 'started') return;
      terminal.say(milestoneLine(milestone, look()));
    },
    tick() {
      frame += 1;
      area.erase();
      area.draw();
    },
    stop() {
      if (isStopped) return;
      isStopped = true;
      area.erase();
      terminal.draw(showCursor);
      terminal.attach(undefined);
    },
    get lastFinished() {
      return model.lastFinished;
    },
  };
}
