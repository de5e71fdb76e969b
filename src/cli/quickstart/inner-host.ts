import { EventEmitter } from 'node:events';
import type { Host } from '../host.ts';
import type { OutputStream } from '../terminal.ts';

/** What a command that runs inside another one takes over from it. */
export interface Surroundings {
  readonly host: Host;
  /** Aborted when the outer command is told to stop. */
  readonly signal: AbortSignal;
  readonly folder: string;
  /** Standard output of inner commands goes to standard error, which is no data. */
  readonly isJson: boolean;
}

/** A process within the process: own arguments and folder, the terminal of the outer command. */
export class InnerHost extends EventEmitter implements Host {
  readonly argv: readonly string[];
  readonly env: Host['env'];
  readonly stdout: InnerOutput;
  readonly stderr: InnerOutput;
  exitCode: Host['exitCode'];
  readonly #surroundings: Surroundings;
  readonly #onAbort = () => this.stop();

  constructor(args: readonly string[], surroundings: Surroundings) {
    super();
    const { host, signal, isJson } = surroundings;
    this.argv = ['node', 'slipway', ...args];
    this.env = withoutProxies(host.env);
    this.stdout = new InnerOutput(isJson ? host.stderr : host.stdout, signal);
    this.stderr = new InnerOutput(host.stderr, signal);
    this.#surroundings = surroundings;
    signal.addEventListener('abort', this.#onAbort);
  }

  get stdin(): Host['stdin'] {
    return this.#surroundings.host.stdin;
  }

  cwd(): string {
    return this.#surroundings.folder;
  }

  /** The outer command ends the process by itself at a second Ctrl-C. */
  exit(): void {}

  /** As a Ctrl-C would. */
  stop(): void {
    // As Node does: the name goes along.
    this.emit('SIGINT', 'SIGINT');
  }

  /** Call it when the command has ended. */
  release(): void {
    this.#surroundings.signal.removeEventListener('abort', this.#onAbort);
  }
}

/** Passes text on and keeps it; silent once the outer command stops, which says so itself. */
class InnerOutput extends EventEmitter implements OutputStream {
  text = '';
  readonly #outer: OutputStream;
  readonly #signal: AbortSignal;

  constructor(outer: OutputStream, signal: AbortSignal) {
    super();
    this.#outer = outer;
    this.#signal = signal;
  }

  get isTTY(): boolean | undefined {
    return this.#outer.isTTY;
  }

  get columns(): number | undefined {
    return this.#outer.columns;
  }

  write(text: string): boolean {
    this.text += text;
    if (!this.#signal.aborted) this.#outer.write(text);
    this.emit('text');
    return true;
  }
}

/** Everything of the quickstart is on loopback, where a proxy cannot lead. */
function withoutProxies(env: Host['env']): Host['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/_proxy$/i.test(name)));
}
