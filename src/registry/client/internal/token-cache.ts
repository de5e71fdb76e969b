import type { Clock } from '../../../shared/ports.ts';
import type { Secret } from '../../../shared/secret.ts';
import type { Scope } from '../transport.ts';
import { coversScopes } from './scopes.ts';

interface Entry {
  readonly scopes: readonly Scope[];
  readonly token: Secret;
  readonly staleAtMs: number;
}

/** The lifetime that the token specification gives to tokens that do not say theirs. */
const defaultLifetimeSeconds = 60;
/** A token is renewed this long before its end, so that it does not expire on its way. */
const marginMs = 10_000;

/** The tokens of one registry, by what they allow. Times come from the monotonic clock. */
export class TokenCache {
  readonly #clock: Clock;
  #entries: Entry[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A token that is still good and allows at least `wanted`. */
  find(wanted: readonly Scope[]): Secret | undefined {
    const now = this.#clock.monotonic();
    this.#entries = this.#entries.filter((entry) => now < entry.staleAtMs);
    return this.#entries.find((entry) => coversScopes(entry.scopes, wanted))?.token;
  }

  keep(scopes: readonly Scope[], token: Secret, lifetimeSeconds = defaultLifetimeSeconds): void {
    const lifetimeMs = Math.max(lifetimeSeconds, 0) * 1000;
    // A short life keeps at least three quarters, else such a token would never be used again.
    const staleAtMs = this.#clock.monotonic() + lifetimeMs - Math.min(marginMs, lifetimeMs / 4);
    this.#entries.push({ scopes, token, staleAtMs });
  }

  /** Forgets a token that the registry did not accept. */
  drop(token: Secret): void {
    this.#entries = this.#entries.filter((entry) => entry.token !== token);
  }
}
