import { redact, type Secret } from './secret.ts';

const shown = '[secret]';
/** A shorter secret is a part of too many words: it is taken out only where it stands alone. */
const shortestAnywhere = 4;

/**
 * The secrets that are in use, to take them out of text from outside that repeats them: a token
 * server that echoes the password, a program that prints its login (promise P7).
 *
 * `known.add(new Secret('hunter2'), 'ann'); known.redact('bad password hunter2')` → `bad password [secret]`.
 * Found as it is, in URLs, in JSON, in HTML and in base64, alone or behind `ann:`.
 */
export class KnownSecrets {
  readonly #forms = new Set<string>();
  #pattern: RegExp | undefined;

  /** `username` for a secret that travels as `username:secret`. */
  add(secret: Secret, username?: string): void {
    // Not for the wire, but to know what must never be shown.
    const clear = secret.reveal();
    if (clear === '') return;
    const sizeBefore = this.#forms.size;
    for (const form of formsOf(clear, username)) this.#forms.add(form);
    if (this.#forms.size > sizeBefore) this.#pattern = undefined;
  }

  /** The same text without these secrets and without what {@link redact} takes for some. */
  redact(text: string): string {
    if (this.#forms.size === 0) return redact(text);
    this.#pattern ??= patternOf(this.#forms);
    return redact(text.replace(this.#pattern, shown));
  }
}

function* formsOf(clear: string, username: string | undefined): Generator<string> {
  yield clear;
  yield encodeURIComponent(clear.toWellFormed());
  yield new URLSearchParams([['', clear]]).toString().slice(1);
  yield JSON.stringify(clear).slice(1, -1);
  yield clear.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  yield* base64Of(clear);
  if (username !== undefined) yield* base64Of(`${username}:${clear}`);
}

/** Without the padding, which is sometimes left out; where it is there, it tells nothing. */
function* base64Of(text: string): Generator<string> {
  const bytes = Buffer.from(text);
  yield bytes.toString('base64').replace(/=+$/, '');
  yield bytes.toString('base64url');
}

/** The longest first, so that of two secrets with one beginning nothing is left over. */
function patternOf(forms: ReadonlySet<string>): RegExp {
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  const parts = sorted.map((form) => {
    const exact = RegExp.escape(form);
    return form.length < shortestAnywhere ? `(?<![\\w-])${exact}(?![\\w-])` : exact;
  });
  return new RegExp(parts.join('|'), 'g');
}
