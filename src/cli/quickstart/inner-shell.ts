import type { CommandContext } from '../command.ts';
import { QuickstartDeviated } from '../errors.ts';
import { shellLine } from '../shell-line.ts';
import { InnerHost, type Surroundings } from './inner-host.ts';

/** One command that was run. */
export interface ShellStep {
  readonly command: string;
  readonly exitCode: number;
  readonly durationMs: number;
}

/** A command that goes on in the background. */
export interface BackgroundCommand {
  /** Tells it to stop, and waits until it has. */
  stop(): Promise<void>;
}

/** Runs commands in one folder as a user would, each shown as it is typed. */
export class InnerShell {
  readonly steps: ShellStep[] = [];
  readonly #context: CommandContext;
  readonly #surroundings: Surroundings;
  #chapters = 0;

  constructor(context: CommandContext, folder: string) {
    const { host, run, isJson } = context;
    this.#context = context;
    this.#surroundings = { host, signal: run.signal, folder, isJson };
  }

  /** Text for the reader, between the commands. */
  tell(text: string): void {
    const { terminal, isJson } = this.#context;
    if (isJson) terminal.say(text);
    else terminal.show(text);
  }

  /** The heading of the next part of the story. */
  chapter(title: string): void {
    this.#chapters += 1;
    this.tell(`\n${this.#context.terminal.paint('bold', `${this.#chapters}  ${title}`)}`);
  }

  /** Shows a command; for what the quickstart does by other means than the program. */
  showCommand(line: string): void {
    this.tell(this.#context.terminal.paint('cyan', `$ ${line}`));
  }

  /** `run('plan', 'release.yaml')`; QUICKSTART_DEVIATED if it ends with another code than expected. */
  async run(args: readonly string[], expectedCode = 0): Promise<void> {
    const command = shellLine(['slipway', ...args]);
    this.#context.run.signal.throwIfAborted();
    this.showCommand(command);
    const inner = new InnerHost(args, this.#surroundings);
    const started = this.#context.clock.monotonic();
    const exitCode = await this.#execute(inner);
    this.#context.run.signal.throwIfAborted();
    const durationMs = Math.round(this.#context.clock.monotonic() - started);
    this.steps.push({ command, exitCode, durationMs });
    if (exitCode !== expectedCode) {
      const because = `"${command}" ended with ${exitCode}, not with ${expectedCode}`;
      throw new QuickstartDeviated({ because });
    }
  }

  /**
   * Starts a command that does not end by itself, and waits until its output has `awaited`; gives
   * what the pattern's first group found.
   */
  async start(
    args: readonly string[],
    awaited: RegExp,
  ): Promise<BackgroundCommand & { readonly found: string }> {
    const command = shellLine(['slipway', ...args]);
    this.showCommand(`${command} &`);
    const inner = new InnerHost(args, this.#surroundings);
    const ending = this.#execute(inner);
    const { promise: appeared, resolve } = Promise.withResolvers<string>();
    inner.stdout.on('text', () => {
      const found = awaited.exec(inner.stdout.text)?.[1];
      if (found !== undefined) resolve(found);
    });
    const ended = ending.then((exitCode) => {
      this.#context.run.signal.throwIfAborted();
      throw new QuickstartDeviated({ because: `"${command}" ended at once with ${exitCode}` });
    });
    // It also ends when it is told to, after nobody waits for this any more.
    void ended.catch(() => {});
    const found = await Promise.race([appeared, ended]);
    const stop = async () => {
      inner.stop();
      await ending;
    };
    return { found, stop };
  }

  async #execute(inner: InnerHost): Promise<number> {
    try {
      return await this.#context.runOther(inner);
    } finally {
      inner.release();
    }
  }
}
