/**
 * Errors that help: a stable code, typed data, the cause, and what the user should do.
 *
 * Each area has one table of errors in its own `errors.ts`; every code has an entry in
 * docs/reference/errors.md (held together by test/reference.test.ts).
 */

/**
 * Who has to act, and so which exit code the command ends with (docs/reference/exit-codes.md).
 *
 * - `usage`: the command line is wrong (64)
 * - `input`: a document, bundle or lock is wrong (65)
 * - `remote`: a registry or another machine failed or answered wrongly (69)
 * - `internal`: a fault of Slipway itself (70)
 * - `local`: this machine's disk, files or ports (74)
 * - `denied`: credentials or permissions are missing (77)
 * - `refused`: Slipway refuses on purpose, since going on would be unsafe (78)
 * - `negative`: the work is done and the answer is no, such as a failed proof (1)
 */
export type ErrorCategory =
  | 'usage'
  | 'input'
  | 'remote'
  | 'internal'
  | 'local'
  | 'denied'
  | 'refused'
  | 'negative';

/** When several failures come together, the first of these decides. */
const bySeverity: readonly ErrorCategory[] = [
  'internal',
  'refused',
  'denied',
  'usage',
  'input',
  'local',
  'remote',
  'negative',
];

/** The category of several failures together: `['remote', 'denied']` → `denied`; of none: `internal`. */
export function mostSerious(categories: readonly ErrorCategory[]): ErrorCategory {
  return bySeverity.find((category) => categories.includes(category)) ?? 'internal';
}

/** Who has to act on whatever was thrown. */
export function categoryOf(error: unknown): ErrorCategory {
  if (error instanceof SlipwayError) return error.category;
  return systemCode(error) === undefined ? 'internal' : 'local';
}

/** What an area says about one kind of error; see {@link defineError}. */
export interface ErrorSpec<Data> {
  readonly code: Uppercase<string>;
  readonly category: ErrorCategory;
  /** For an error that sums up others: their {@link mostSerious} category, in place of `category`. */
  readonly categoryOf?: (data: Data) => ErrorCategory;
  /** One line: what went wrong, on which object and side. */
  readonly message: (data: Data) => string;
  /** What to do now, in words or as a command that works as printed. */
  readonly fix: (data: Data) => string;
  /** True when the same call may succeed a little later. */
  readonly retry: boolean;
}

/** The base of every error that Slipway throws on purpose. */
export abstract class SlipwayError extends Error {
  abstract readonly code: string;
  abstract readonly category: ErrorCategory;
  abstract readonly data: unknown;
  abstract readonly fix: string;
  abstract readonly retry: boolean;
}

/** The class that {@link defineError} makes: `new BlobDigestMismatch(data, { cause })`. */
export interface ErrorType<Data> {
  new (data: Data, options?: ErrorOptions): SlipwayError & { readonly data: Data };
  readonly code: string;
  readonly category: ErrorCategory;
}

/**
 * Makes one error class of an area's table.
 *
 * `defineError<{ path: string }>({ code: 'DISK_FULL', ... })` → a class whose instances carry
 * `code`, `category`, `data`, `fix`, `retry` and the cause.
 */
export function defineError<Data>(spec: ErrorSpec<Data>): ErrorType<Data> {
  return class extends SlipwayError {
    static readonly code = spec.code;
    static readonly category = spec.category;
    override readonly name = spec.code;
    readonly code = spec.code;
    readonly category: ErrorCategory;
    readonly retry = spec.retry;
    readonly data: Data;
    readonly fix: string;

    constructor(data: Data, options?: ErrorOptions) {
      super(spec.message(data), options);
      this.data = data;
      this.category = spec.categoryOf?.(data) ?? spec.category;
      this.fix = spec.fix(data);
    }
  };
}

/** `C0F5…:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:…/x.c:77:` */
const opensslError = /(?:[0-9A-F]+:)?error:[0-9A-F]+:[^:\n]*:[^:\n]*:([^:\n]+)(?::[^\s:]+:\d+:)?/g;

/**
 * The message of whatever was thrown, without that of its causes. What other programs wrote is made
 * one line, and of OpenSSL's errors only the words stay: `wrong version number`.
 */
export function messageOf(error: unknown): string {
  if (error instanceof SlipwayError) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replaceAll(opensslError, '$1')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}

/**
 * The text of an error and of its causes, outermost first: `cannot read x: ENOENT: no such file`.
 * Takes whatever was thrown; ends after eight causes. Texts are those of {@link messageOf}.
 */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error, depth = 0; at !== undefined && depth < 8; depth += 1) {
    const text = messageOf(at);
    if (text !== '' && !parts.some((part) => part.includes(text))) parts.push(text);
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.join(': ');
}

/** The `code` of a Node error such as ENOENT, or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A journal with a line, other than a torn last one, that is no JSON object. */
export const JournalBroken = defineError<{ path: string; line: number }>({
  code: 'JOURNAL_BROKEN',
  category: 'local',
  message: (d) => `${d.path}:${d.line}  is not a line of a journal`,
  fix: (d) =>
    `The file was changed by hand or its disk is damaged. Move it away (mv ${d.path} ${d.path}.broken) and run again: finished content is found by its digest.`,
  retry: false,
});

/** A journal that takes no more lines; without it, a crash could not be survived. */
export const JournalUnwritable = defineError<{ path: string }>({
  code: 'JOURNAL_UNWRITABLE',
  category: 'local',
  message: (d) => `the journal ${d.path} cannot be written`,
  fix: (d) =>
    `See the cause; free some space if the disk is full (df -h ${d.path}), then run the same command again.`,
  retry: false,
});

/** A path for a result that leads to something which cannot become a file. */
export const OutputNotAFile = defineError<{ path: string; what: string }>({
  code: 'OUTPUT_NOT_A_FILE',
  category: 'usage',
  message: (d) => `${d.path} cannot be written: it is ${d.what}`,
  fix: () => 'Give the path of a file.',
  retry: false,
});

/** A named pipe at which nobody reads: writing to it would wait for ever. */
export const OutputPipeUnread = defineError<{ path: string }>({
  code: 'OUTPUT_PIPE_UNREAD',
  category: 'local',
  message: (d) => `${d.path} cannot be written: it is a pipe that nobody reads`,
  fix: (d) => `Start what reads it first: cat ${d.path}`,
  retry: true,
});

/** A file that was named as input and is none that can be read to its end. */
export const InputFileUnusable = defineError<{ path: string; because: string }>({
  code: 'INPUT_FILE_UNUSABLE',
  category: 'input',
  message: (d) => `${d.path} ${d.because}`,
  fix: () => 'Give a regular file; write what a pipe or device gives into one first.',
  retry: false,
});
