import type { Answered, Stopped, Unanswered } from './exchange.ts';

type Outcome = Answered | Unanswered | Stopped;

/** Each failed connection or silence costs its whole timeout. */
const failuresUntilDead = 3;
/** Some more than one image takes, with all its repeats. */
const throttlesUntilDead = 24;

/**
 * Remembers of one endpoint whether asking it still makes sense. One that cannot be reached, is
 * silent or answers 429 to everything would hold up a proof of many images for days.
 */
export class EndpointHealth {
  #failures = 0;
  #throttles = 0;
  #last: Outcome | undefined;

  /** What to take as its answer without asking; undefined while it is worth a request. */
  get foregone(): Outcome | undefined {
    const isDead = this.#failures >= failuresUntilDead || this.#throttles >= throttlesUntilDead;
    return isDead ? this.#last : undefined;
  }

  learn(outcome: Outcome): void {
    this.#last = outcome;
    const isThrottled = outcome.kind === 'answered' && outcome.status === 429;
    this.#throttles = isThrottled ? this.#throttles + 1 : 0;
    this.#failures = isFailure(outcome) ? this.#failures + 1 : 0;
  }
}

function isFailure(outcome: Outcome): boolean {
  if (outcome.kind === 'stopped') return outcome.why === 'too-slow';
  return outcome.kind === 'unanswered';
}
