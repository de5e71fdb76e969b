import type { Outcome } from './exchange.ts';

/** Each failed connection or silence costs its whole timeout. */
const failuresUntilDead = 3;
/** Some more than one image takes, with all its repeats. */
const throttlesUntilDead = 24;
/** How often a proof waits for one endpoint; one that always fails must not stretch it for hours. */
const pausesPerProof = 5;

/** What an endpoint answered, or what it would, going by its last answers. */
export interface Heard {
  readonly outcome: Outcome;
  /** True when nothing was sent: the endpoint had been given up. */
  readonly isAssumed: boolean;
}

/**
 * Remembers of one endpoint whether asking it still makes sense. One that cannot be reached, is
 * silent or answers 429 to everything would hold up a proof of many images for days.
 */
export class EndpointHealth {
  #failures = 0;
  #throttles = 0;
  #last: Outcome | undefined;
  #pausesLeft = pausesPerProof;
  #pausing: Promise<void> | undefined;

  /**
   * Asks by `send`, unless the endpoint was given up. When the connection fails for the first time,
   * everybody lets it be for one `pause` and then asks again: a registry that restarts takes a second,
   * and no image is to fail for that.
   */
  async ask(send: () => Promise<Outcome>, pause: () => Promise<void>): Promise<Heard> {
    await this.#pausing;
    const foregone = this.#foregone();
    if (foregone !== undefined) return { outcome: foregone, isAssumed: true };
    const first = await send();
    if (!this.#mayComeBack(first)) return this.#learn(first);
    await this.#pause(pause);
    return this.#learn(await send());
  }

  #foregone(): Outcome | undefined {
    const isDead = this.#failures >= failuresUntilDead || this.#throttles >= throttlesUntilDead;
    return isDead ? this.#last : undefined;
  }

  #mayComeBack(outcome: Outcome): boolean {
    if (outcome.kind !== 'unanswered' || outcome.how === 'plain-http') return false;
    return this.#pausing !== undefined || (this.#failures === 0 && this.#pausesLeft > 0);
  }

  #pause(pause: () => Promise<void>): Promise<void> {
    if (this.#pausing !== undefined) return this.#pausing;
    this.#pausesLeft -= 1;
    this.#pausing = pause().finally(() => {
      this.#pausing = undefined;
    });
    return this.#pausing;
  }

  #learn(outcome: Outcome): Heard {
    this.#last = outcome;
    const isThrottled = outcome.kind === 'answered' && outcome.status === 429;
    this.#throttles = isThrottled ? this.#throttles + 1 : 0;
    this.#failures = isFailure(outcome) ? this.#failures + 1 : 0;
    return { outcome, isAssumed: false };
  }
}

function isFailure(outcome: Outcome): boolean {
  if (outcome.kind === 'stopped') return outcome.why === 'too-slow';
  return outcome.kind === 'unanswered';
}
