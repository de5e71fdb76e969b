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
