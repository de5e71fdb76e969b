import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Host } from '../../src/cli/host.ts';

/** A stream that keeps what is written; `isTTY` and `columns` as a terminal has them. */
export class FakeOutput extends EventEmitter {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;

  constructor(options: { readonly isTTY?: boolean; readonly columns?: number } = {}) {
    super();
    this.isTTY = options.isTTY ?? false;
    this.columns = options.columns ?? 100;
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

/** A process that only pretends: arguments and environment in, text and exit code out. */
export class FakeHost extends EventEmitter implements Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: FakeOutput;
  readonly stderr: FakeOutput;
  /** Retries follow at once. */
  readonly random = () => 0;
  exitCode: number | string | null | undefined;
  /** Codes with which the program wanted to end at once. */
  readonly exits: number[] = [];
  readonly #cwd: string;

  constructor(
    args: readonly string[],
    options: {
      readonly isTTY?: boolean;
      readonly env?: Record<string, string>;
      readonly cwd?: string;
      readonly stdin?: string;
    } = {},
  ) {
    super();
    this.argv = ['node', 'slipway', ...args];
    this.env = options.env ?? {};
    this.stdin = Readable.from([Buffer.from(options.stdin ?? '')]);
    this.#cwd = options.cwd ?? '/nonexistent';
    this.stdout = new FakeOutput(options);
    this.stderr = new FakeOutput(options);
  }

  cwd(): string {
    return this.#cwd;
  }

  exit(code: number): void {
    this.exits.push(code);
  }
}
