import type { CommandDefinition, CommandEntry, CommandResult } from './command.ts';
import { commandTable } from './command-table.ts';
import { type Environment, readEnvironment } from './environment.ts';
import type { Host } from './host.ts';
import { parseCommand } from './parse-command.ts';
import { routeCommand } from './route.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import type { UsageProblem } from './usage-problem.ts';
import type { Work } from './work.ts';

// Imported here is only what `slipway --version` needs too; the rest is loaded by those who use it.

/** What one call of the program works with. */
interface Session {
  readonly host: Host;
  readonly argv: readonly string[];
  readonly table: readonly CommandEntry[];
  readonly environment: Environment;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  work?: Work;
}

/**
 * Runs one command line and gives the exit code; the only entry, also for `--version`.
 * Everything of the world comes in by `host`, so tests run it beside each other.
 */
export async function runProgram(
  host: Host,
  table: readonly CommandEntry[] = commandTable,
): Promise<number> {
  const session = openSession(host, table);
  try {
    return await Promise.race([runCommand(session), readerGone(session)]);
  } catch (error) {
    return await fail(session, error);
  } finally {
    session.work?.end();
  }
}

/** Shows an error that nobody caught, such as one in a callback, and sets the exit code. */
export async function reportFault(host: Host, error: unknown): Promise<void> {
  host.exitCode = await fail(openSession(host, []), error);
}

function openSession(host: Host, table: readonly CommandEntry[]): Session {
  const argv = host.argv.slice(2);
  const { json, quiet, debug } = scanFlags(argv);
  const environment = readEnvironment(host);
  const terminal = openTerminal(host, { colour: environment.colour, quiet });
  return { host, argv, table, environment, terminal, json, quiet, debug };
}

/** Ends the work without a word once whoever reads its output has gone, such as `head`. */
function readerGone(session: Session): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // The listener stays: later writes to a closed pipe fail again.
  session.host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') return reject(error);
    void import('./exit-codes.ts').then(({ signalExitCodes }) => {
      resolve(signalExitCodes.SIGPIPE);
      session.work?.abort(error);
    });
  });
  return promise;
}

async function runCommand(session: Session): Promise<number> {
  const route = routeCommand(session.argv, session.table);
  if ('problem' in route) throw await usageError(route.problem, '', {}, session);
  const { entry, args } = route;
  const definition = await entry.load();
  const parsed = parseCommand(definition, args);
  if (parsed.kind === 'problem') {
    throw await usageError(parsed.problem, entry.name, definition.options, session);
  }
  const result =
    parsed.kind === 'help'
      ? await helpFor(entry, definition, session)
      : await execute(definition, parsed.input, session);
  session.work?.end();
  if (result !== undefined) showResult(result, session);
  // As in exit-codes.ts, which a start that goes well does not load.
  return result?.negative === true ? 1 : 0;
}

async function execute(
  definition: CommandDefinition,
  input: Parameters<CommandDefinition['run']>[1],
  session: Session,
): Promise<CommandResult | undefined> {
  const { terminal, environment, table: commands, host, debug } = session;
  const context = { environment, terminal, commands };
  if (definition.isInstant) return definition.run(context, input);
  const [{ startWork }, { systemClock: clock }, { fitLines }] = await Promise.all([
    import('./work.ts'),
    import('../shared/ports.ts'),
    import('./fit-lines.ts'),
  ]);
  terminal.fitWith(fitLines);
  session.work = startWork(host, terminal, debug);
  const { run } = session.work;
  const show = (result: CommandResult) => showResult(result, session);
  const runOther = (inner: Host) => runProgram(inner, commands);
  const wanted = { isJson: session.json, isQuiet: session.quiet };
  const world = { run, clock, random: host.random ?? Math.random, host, show, runOther, ...wanted };
  return definition.run({ ...context, ...world }, input);
}

async function usageError(
  problem: UsageProblem,
  command: string,
  options: CommandDefinition['options'],
  { table }: Session,
): Promise<Error> {
  const usage = await import('./usage-errors.ts');
  return usage.usageError(problem, { command, options, table });
}

async function helpFor(
  entry: CommandEntry,
  definition: CommandDefinition,
  { terminal }: Session,
): Promise<CommandResult> {
  const { commandHelp, describeCommand } = await import('./help.ts');
  const look = { paint: terminal.paint, width: terminal.width };
  return { json: describeCommand(entry, definition), text: commandHelp(entry, definition, look) };
}

function showResult(result: CommandResult, { terminal, json }: Session): void {
  if (json) terminal.print(JSON.stringify(result.json, undefined, 2));
  else if (result.text !== '') terminal.show(result.text);
}

async function fail(session: Session, error: unknown): Promise<number> {
  session.work?.end();
  const { work, terminal, json, debug, argv } = session;
  const stoppedBy = work?.stoppedBy;
  const [ending, { fitLines }] = await Promise.all([
    import('./ending.ts'),
    import('./fit-lines.ts'),
  ]);
  terminal.fitWith(fitLines);
  const end =
    stoppedBy !== undefined && ending.isInterruption(error, work?.run.signal)
      ? ending.interruptedEnding({ argv, lastStep: work?.lastStep, signal: stoppedBy })
      : ending.failedEnding(error, terminal, debug);
  if (json) terminal.print(JSON.stringify(end.json, undefined, 2));
  else terminal.complain(end.text);
  return end.exitCode;
}

/** Looked for before anything is parsed, so that a wrong command line is explained in the right form. */
function scanFlags(argv: readonly string[]) {
  const end = argv.indexOf('--');
  const args = end === -1 ? argv : argv.slice(0, end);
  const given = new Set(args.map((arg) => arg.replace(/^(--[^=]*)=.*$/s, '$1')));
  const has = (...names: string[]) => names.some((name) => given.has(name));
  const asJson = (arg: string, at: number) =>
    arg === '--format=json' || (arg === '--format' && args[at + 1] === 'json');
  return {
    json: has('--json') || args.some(asJson),
    quiet: has('--quiet', '-q'),
    debug: has('--debug'),
  };
}
