import type { Environment } from './environment.ts';

/** Colours and weights in use; a look carries no meaning that the words do not have. */
export type Look = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** How each look starts and ends (ECMA-48). `util.styleText` would cost node:util at each start. */
const codes: Readonly<Record<Look, readonly [start: number, end: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Breaks the lines of a text for so many columns. */
export type Fit = (text: string, width: number) => string;

/** Gives text a look where colours are wanted, else returns it as it is. */
export type Paint = (look: Look, text: string) => string;

/** One of the two output streams of a process. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** What draws below the printed lines, and gets out of the way while one is printed. */
export interface LiveArea {
  erase(): void;
  draw(): void;
}

/** The only way to the terminal: data to standard output, everything else to standard error. */
export interface Terminal {
  /** Data, as it is; a line break is added. */
  print(text: string): void;
  /** An answer for people on standard output, laid out for its width; a line break is added. */
  show(text: string): void;
  /** A message for people, dropped by `--quiet`; a line break is added. */
  say(text: string): void;
  /** A message that `--quiet` does not drop: why the command failed. */
  complain(text: string): void;
  /** Writes as it is to standard error; for the live area only. */
  draw(text: string): void;
  /** For text that goes to standard output. */
  readonly paint: Paint;
  /** For text that goes to standard error. */
  readonly paintMessage: Paint;
  /** Columns of standard output, and of standard error; 80 where it is no terminal. */
  readonly width: number;
  readonly messageWidth: number;
  /** Whether standard error can be drawn upon, and whether a person may answer on it. */
  readonly isLive: boolean;
  /** Says how lines are laid out on a terminal; elsewhere, and before that, they stay as they are. */
  fitWith(fit: Fit): void;
  /** Puts a live area under everything that is printed from now on, or removes it. */
  attach(live: LiveArea | undefined): void;
}

/** How a terminal is set up. */
export interface TerminalOptions {
  readonly colour: Environment['colour'];
  readonly quiet: boolean;
}

/** The two streams that a process writes to. */
export interface OutputStreams {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/**
 * A terminal on two streams; without a TTY it writes plain lines, no colour and no cursor codes.
 *
 * Each stream is touched only when it is used: Node opens it then, and a start that only prints its
 * version has no need of standard error.
 */
export function openTerminal(streams: OutputStreams, options: TerminalOptions): Terminal {
  const { colour, quiet } = options;
  let live: LiveArea | undefined;
  let fit: Fit | undefined;
  const fitted = (stream: OutputStream, text: string) =>
    fit === undefined || stream.isTTY !== true ? text : fit(text, widthOf(stream));
  const message = (text: string) => writeLine(streams.stderr, fitted(streams.stderr, text));
  const writeLine = (stream: OutputStream, text: string) => {
    live?.erase();
    stream.write(`${text}\n`);
    live?.draw();
  };
  return {
    print: (text) => writeLine(streams.stdout, text),
    show: (text) => writeLine(streams.stdout, fitted(streams.stdout, text)),
    say: (text) => (quiet ? undefined : message(text)),
    complain: message,
    draw: (text) => void streams.stderr.write(text),
    paint: (look, text) => paintFor(streams.stdout, colour, look, text),
    paintMessage: (look, text) => paintFor(streams.stderr, colour, look, text),
    get width() {
      return widthOf(streams.stdout);
    },
    get messageWidth() {
      return widthOf(streams.stderr);
    },
    get isLive() {
      return streams.stderr.isTTY === true && colour !== 'never' && !quiet;
    },
    fitWith(next) {
      fit = next;
    },
    attach(next) {
      live = next;
    },
  };
}

function paintFor(
  stream: OutputStream,
  colour: Environment['colour'],
  look: Look,
  text: string,
): string {
  const isWanted = colour === 'always' || (colour === 'on-terminals' && stream.isTTY === true);
  const [start, end] = codes[look];
  return isWanted ? `\u001b[${start}m${text}\u001b[${end}m` : text;
}

function widthOf(stream: OutputStream): number {
  return stream.isTTY === true && stream.columns ? Math.max(40, stream.columns) : 80;
}
