import { compareText } from '../shared/json.ts';
import type { OfferedLogin } from './report.ts';

/** What a reader of the report has to know besides the verdicts; each thing once, in a stable order. */
export class ProofNotes {
  readonly #warnings = new Set<string>();
  readonly #logins = new Map<string, OfferedLogin>();

  warn(text: string): void {
    this.#warnings.add(text);
  }

  /** Never holds the secret. */
  login(login: OfferedLogin): void {
    this.#logins.set(`${login.host} ${login.user} ${login.from}`, login);
  }

  warnings(): string[] {
    return [...this.#warnings].sort(compareText);
  }

  logins(): OfferedLogin[] {
    return Array.from(this.#logins)
      .sort(([a], [b]) => compareText(a, b))
      .map(([, login]) => login);
  }
}
