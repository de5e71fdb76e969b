import { inspect } from 'node:util';

const SHOWN = '[secret]';

/**
 * A password, token or key that prints as `[secret]` wherever it might leak: string conversion,
 * JSON, `util.inspect`. `reveal()` is called only where the bytes leave for the wire (promise P7).
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** True for the same text, without giving it out: to tell logins apart. */
  equals(other: Secret): boolean {
    return this.#value === other.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}

const rules: ReadonlyArray<readonly [RegExp, string]> = [
  // user:password@ in a URL
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s:@]+:[^/\s@]+@/gi, `$1${SHOWN}@`],
  // Authorization headers, as they appear in dumped requests
  [/\b(authorization["']?\s*[:=]\s*["']?(?:basic|bearer)\s+)[^\s"',]+/gi, `$1${SHOWN}`],
  [/\b((?:bearer|basic)\s+)[a-z0-9._~+/=-]{12,}/gi, `$1${SHOWN}`],
  // signatures and tokens in query strings of redirect targets, and in JSON bodies
  [
    /([?&](?:x-amz-signature|x-amz-credential|x-amz-security-token|sig|signature|token|access_token|refresh_token|password|client_secret)=)[^&\s"']+/gi,
    `$1${SHOWN}`,
  ],
  [
    /("(?:token|access_token|refresh_token|password|auth|identitytoken)"\s*:\s*")[^"]*/gi,
    `$1${SHOWN}`,
  ],
];

/**
 * Text from outside (headers, URLs, tool output, bodies) with everything that looks like a
 * credential replaced: `https://u:p@reg/v2/?sig=abc` → `https://[secret]@reg/v2/?sig=[secret]`.
 * Run it before such text is kept in an error, a log line or a journal.
 */
export function redact(text: string): string {
  return rules.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
