import { type ErrorCategory, mostSerious } from '../shared/errors.ts';

/** With which exit code a command ends, by who has to act (docs/reference/exit-codes.md). */
export const exitCodes: Readonly<Record<ErrorCategory | 'success', number>> = {
  success: 0,
  negative: 1,
  usage: 64,
  input: 65,
  remote: 69,
  internal: 70,
  local: 74,
  denied: 77,
  refused: 78,
};

/** What the help says of them, in order; a command may say more about its own. */
export const exitMeanings: Readonly<Record<number, string>> = {
  [exitCodes.success]: 'done, and the answer is yes',
  [exitCodes.negative]: 'done, and the answer is no',
  [exitCodes.usage]: 'the command line is wrong; nothing was done',
  [exitCodes.input]: 'a document, lock or bundle is wrong',
  [exitCodes.remote]: 'a registry or another machine failed',
  [exitCodes.internal]: 'a fault of Slipway: please report it',
  [exitCodes.local]: 'the disk, files, limits or ports of this machine',
  [exitCodes.denied]: 'credentials or permissions are missing',
  [exitCodes.refused]: 'refused, since going on would be unsafe',
  130: 'stopped by Ctrl-C; the same command goes on where it was',
};

/** Exit codes after a signal: 128 and its number, as shells expect it. */
export const signalExitCodes = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGPIPE: 141,
  SIGTERM: 143,
} as const;

/** The exit code for failures of these categories: `['remote', 'denied']` → 77. */
export function exitCodeOf(categories: readonly ErrorCategory[]): number {
  return exitCodes[mostSerious(categories)];
}
