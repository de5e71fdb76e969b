/** A fake clock whose time passes only when somebody sleeps, and client settings that use it. */
import { type ClientSettings, defaultClientSettings } from '../../src/registry/client/settings.ts';
import type { Clock } from '../../src/shared/ports.ts';

/** Time and chance under the test's control. */
export interface FakeWorld {
  readonly clock: Clock;
  /** Every wait that was asked for, in milliseconds. */
  readonly sleeps: number[];
  /** Lets time pass. */
  advance(milliseconds: number): void;
  /** Settings of a client that lives here; short back-off, no jitter (random is 1). */
  settings(changes?: SettingsChanges): ClientSettings;
}

type SettingsChanges = Omit<Partial<ClientSettings>, 'limits' | 'timeouts' | 'retry'> & {
  readonly limits?: Partial<ClientSettings['limits']>;
  readonly timeouts?: Partial<ClientSettings['timeouts']>;
  readonly retry?: Partial<ClientSettings['retry']>;
};

/** A world that begins on 2026-01-01: `const world = fakeWorld()`. */
export function fakeWorld(): FakeWorld {
  let passed = 0;
  const begin = Date.UTC(2026, 0, 1);
  const sleeps: number[] = [];
  const clock = { now: () => begin + passed, monotonic: () => passed };
  const sleep = async (delayMs: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    sleeps.push(delayMs);
    passed += delayMs;
  };
  return {
    clock,
    sleeps,
    advance: (milliseconds) => {
      passed += milliseconds;
    },
    settings: (changes = {}) => {
      const usual = defaultClientSettings({ clock, random: () => 1, userAgent: 'slipway/test' });
      return {
        ...usual,
        sleep,
        ...changes,
        limits: { ...usual.limits, ...changes.limits },
        timeouts: { ...usual.timeouts, ...changes.timeouts },
        retry: { ...usual.retry, firstDelayMs: 100, ...changes.retry },
      };
    },
  };
}
