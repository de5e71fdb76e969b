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

/** Parameters of query strings that let their bearer in: signatures of the big clouds, and tokens. */
const secretParameter =
  '(?:x-[a-z]+-)?(?:security-?token|signature|credential)|q-signature|sig|(?:awsaccess|googleaccess|ossaccess|access|api)[_-]?key(?:[_-]?id)?|(?:[a-z]+[_-])?token|pass(?:word|wd)?|(?:[a-z]+[_-])?secret|auth|jwt';

const rules: ReadonlyArray<readonly [RegExp, string]> = [
  // user:password@ in a URL, or a token alone
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s@"']+@/gi, `$1${SHOWN}@`],
  // Authorization headers, as they appear in dumped requests
  [/\b(authorization["']?\s*[:=]\s*["']?(?:basic|bearer)\s+)[^\s"',]+/gi, `$1${SHOWN}`],
  [/\b((?:bearer|basic)\s+)[a-z0-9._~+/=-]{12,}/gi, `$1${SHOWN}`],
  // signatures and tokens in query strings of redirect targets, and in JSON bodies
  [new RegExp(`([?&#](?:${secretParameter})=)[^&\\s"']+`, 'gi'), `$1${SHOWN}`],
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

const secretName = new RegExp(`^(?:${secretParameter})$`, 'i');

/**
 * Whether a URL carries a login, a token or a signature: `https://u@host/`, `https://host/a?X-Amz-Signature=1`.
 * Reads it as it would be sent, so that neither `%74oken` nor a backslash hides one.
 */
export function hasSecret(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (url.username !== '' || url.password !== '') return true;
  const inFragment = new URLSearchParams(url.hash.slice(1));
  return [...url.searchParams.keys(), ...inFragment.keys()].some((name) => secretName.test(name));
}
