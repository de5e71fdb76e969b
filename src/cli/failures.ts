import { DocumentInvalid } from '../documents/errors.ts';
import type { Problem } from '../documents/problem.ts';
import { PlanRefused, PlanUnresolved } from '../lock/errors.ts';
import { type ErrorCategory, messageOf, SlipwayError, systemCode } from '../shared/errors.ts';
import { cleanText } from './clean-text.ts';
import { InternalFault, SystemRefused } from './errors.ts';
import { exitCodeOf } from './exit-codes.ts';

/** One thing that failed, ready to be shown: secrets removed, causes from the outside in. */
export interface Failure {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly message: string;
  readonly because: readonly string[];
  readonly fix: string;
  readonly problems?: readonly Problem[];
  /** Where it arose; kept for internal errors only. */
  readonly stack?: string;
}

/** Everything that made a command fail, and the exit code it ends with. */
export interface FailureReport {
  /** What the failures have in common, if the thrower said so. */
  readonly summary: string | undefined;
  readonly failures: readonly Failure[];
  readonly exitCode: number;
}

/**
 * Explains whatever a command threw. An AggregateError gives one failure for each of its errors, in
 * their order; equal ones once. What is neither ours nor the system's becomes INTERNAL.
 */
export function reportFailure(thrown: unknown): FailureReport {
  const failures = distinct(leaves(thrown).map(explain));
  const isCollected = thrown instanceof AggregateError && !isSystemError(thrown);
  return {
    summary: isCollected && thrown.message !== '' ? cleanText(thrown.message) : undefined,
    failures,
    exitCode: exitCodeOf(failures.map((failure) => failure.category)),
  };
}

function leaves(thrown: unknown): readonly unknown[] {
  if (!(thrown instanceof AggregateError) || isSystemError(thrown)) return [thrown];
  const errors: readonly unknown[] = thrown.errors;
  return errors.flatMap(leaves);
}

function explain(error: unknown): Failure {
  if (error instanceof SlipwayError) return describe(error);
  const because = error instanceof Error ? error.message || error.name : String(error);
  if (isSystemError(error)) return describe(new SystemRefused({ because }, { cause: error }));
  const fault = describe(new InternalFault({ because }, { cause: error }));
  const stack = error instanceof Error ? error.stack : undefined;
  return stack === undefined ? fault : { ...fault, stack: cleanText(stack) };
}

/** Errors of Node's own calls into the system (ENOSPC, EACCES, ...), which name the call. */
function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(systemCode(error) ?? '');
}

function describe(error: SlipwayError): Failure {
  const message = cleanText(error.message);
  return {
    code: error.code,
    category: error.category,
    message,
    because: causes(error, message),
    fix: cleanText(error.fix),
    ...placesOf(error),
  };
}

/** Errors that are shown as a list of places in documents. */
function placesOf(error: SlipwayError): Pick<Failure, 'problems'> {
  const hasPlaces =
    error instanceof DocumentInvalid ||
    error instanceof PlanRefused ||
    error instanceof PlanUnresolved;
  return hasPlaces ? { problems: error.data.problems } : {};
}

/** The causes' messages, outermost first, without what was said already; at most eight. */
function causes(error: Error, message: string): readonly string[] {
  const said: string[] = [];
  let at: unknown = error.cause;
  for (let depth = 0; at !== undefined && depth < 8; depth += 1) {
    for (const text of textsOf(at)) {
      const isNew = ![message, ...said].some((other) => other.includes(text));
      if (text !== '' && isNew) said.push(text);
    }
    at = at instanceof Error ? at.cause : undefined;
  }
  return said;
}

/** Node gives an AggregateError without a message when each address of a host was refused. */
function textsOf(cause: unknown): readonly string[] {
  if (!(cause instanceof AggregateError)) {
    return [cleanText(messageOf(cause))];
  }
  const errors: readonly unknown[] = cause.errors;
  return [cleanText(cause.message), ...errors.flatMap(textsOf)];
}

function distinct(failures: readonly Failure[]): readonly Failure[] {
  const seen = new Set<string>();
  return failures.filter((failure) => {
    const key = `${failure.code} ${failure.message}`;
    return !seen.has(key) && seen.add(key);
  });
}
