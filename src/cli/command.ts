import type { Clock, Random } from '../shared/ports.ts';
import type { Run } from '../shared/run.ts';
import type { Environment } from './environment.ts';
import type { Host } from './host.ts';
import type { Terminal } from './terminal.ts';

/** One option; `value` is its word in the help, such as FILE. Units belong into the summary. */
export type OptionSpec =
  | { readonly kind: 'flag'; readonly short?: string; readonly summary: string }
  | (ValueOption & { readonly kind: 'text' | 'file' | 'folder'; readonly default?: string })
  | (ValueOption & {
      readonly kind: 'number';
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    })
  | (ValueOption & {
      readonly kind: 'choice';
      readonly choices: readonly string[];
      readonly default?: string;
    });

interface ValueOption {
  readonly value: string;
  readonly short?: string;
  readonly summary: string;
  readonly many?: true;
  readonly required?: true;
}

/** One argument, in order; only the last may be `many`. Its key in capitals is its word in the help. */
export interface ArgumentSpec {
  readonly kind: 'text' | 'file' | 'folder' | 'choice';
  readonly choices?: readonly string[];
  readonly summary: string;
  readonly required?: true;
  readonly many?: true;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;
export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;

type Single<Spec> = Spec extends { readonly kind: 'flag' }
  ? boolean
  : Spec extends { readonly kind: 'number' }
    ? number
    : Spec extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string;

type Value<Spec> = Spec extends { readonly many: true }
  ? readonly Single<Spec>[]
  : Spec extends
        | { readonly kind: 'flag' }
        | { readonly required: true }
        | { readonly default: unknown }
    ? Single<Spec>
    : Single<Spec> | undefined;

/** What a command is called with, after parsing: one value per option and argument. */
export interface CommandInput<Options, Arguments> {
  readonly options: { readonly [Name in keyof Options]: Value<Options[Name]> };
  readonly arguments: { readonly [Name in keyof Arguments]: Value<Arguments[Name]> };
}

/** What an instant command gets; only `src/cli` makes one. */
export interface InstantContext {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** All commands, for help and completion. */
  readonly commands: readonly CommandEntry[];
}

/** The world as a working command gets it. */
export interface CommandContext extends InstantContext {
  readonly run: Run;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether the answer is wanted as JSON: then nothing else may go to standard output. */
  readonly isJson: boolean;
  /** Whether only the answer is wanted: text for people leaves notes and next steps out, never warnings. */
  readonly isQuiet: boolean;
  /** The process around; only for a command that runs other commands, such as the quickstart. */
  readonly host: Host;
  /** Runs another command line in a process that the caller pretends; gives its exit code. */
  runOther(host: Host): Promise<number>;
  /** Shows an answer while the command goes on, such as the address of a server. */
  show(result: CommandResult): void;
}

/** A command as the table knows it; its options are read only when it is called. */
export interface CommandEntry {
  /** `plan`, or `bundle create` for one in a group. */
  readonly name: string;
  readonly summary: string;
  load(): Promise<CommandDefinition>;
}

/** A command's answer: `json` in full, `text` for people (ends without a line break). */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** The work is done and the answer is no, such as a failed proof: exit code 1. */
  readonly negative?: boolean;
}

/** What a command is; its name and summary stand in the table of commands. */
export type CommandDefinition<
  Options extends OptionSpecs = OptionSpecs,
  Arguments extends ArgumentSpecs = ArgumentSpecs,
> = CommandDescription<Options, Arguments> &
  (
    | {
        /** Needs no run: neither signals nor progress are set up, which would take longer. */
        readonly isInstant: true;
        run(
          context: InstantContext,
          input: CommandInput<Options, Arguments>,
        ): Promise<CommandResult | undefined>;
      }
    | {
        readonly isInstant?: never;
        /** Gives undefined when everything was printed while it ran. */
        run(
          context: CommandContext,
          input: CommandInput<Options, Arguments>,
        ): Promise<CommandResult | undefined>;
      }
  );

/** How a command is called and explained; help, completion and the reference are made from it. */
export interface CommandDescription<Options = OptionSpecs, Arguments = ArgumentSpecs> {
  /** Sentences for the help, under the summary. */
  readonly description?: string;
  readonly arguments: Arguments;
  readonly options: Options;
  readonly examples: readonly { readonly run: string; readonly does: string }[];
  /** What exit codes mean here beyond the common table: `{ 1: 'an image is not proven' }`. */
  readonly exits?: Readonly<Record<number, string>>;
}

/** Options that every command takes, before or after its name. */
export const globalOptions = {
  json: { kind: 'flag', summary: 'Print one JSON document on standard output, errors too' },
  quiet: { kind: 'flag', short: 'q', summary: 'No progress and no notes, only the answer' },
  debug: { kind: 'flag', summary: 'Say more: log lines, and where an internal error arose' },
  help: { kind: 'flag', short: 'h', summary: 'Show the options of this command' },
} as const;

/**
 * Declares a command, with the types of its input taken from its options and arguments.
 *
 * Import types only at the top of a command's file and the work inside `run`, so that `--help` and
 * completion stay quick.
 */
export function defineCommand<
  const Options extends OptionSpecs,
  const Arguments extends ArgumentSpecs,
>(definition: CommandDefinition<Options, Arguments>): CommandDefinition<Options, Arguments> {
  return definition;
}
