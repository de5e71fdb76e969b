import type { Answer, PullRequest, PullWalk, WalkOutcome } from './pull-walk.ts';

/** A request and what was assumed to come back. */
export interface SimulatedStep {
  readonly request: PullRequest;
  readonly answer: Answer;
}

/** A walk to its end. */
export interface Simulation {
  readonly steps: readonly SimulatedStep[];
  readonly outcome: WalkOutcome;
}

/** What is assumed of each request. */
export type AnswerTo = (request: PullRequest) => Answer;

/**
 * Drives a walk with assumed answers, without sending anything:
 * `simulate(chain.requests.resolve(chain.reference), () => notThere)` → every request of the list, and
 * how the pull ends. Runtimes repeat a request a few times at most, so that each walk has an end.
 */
export function simulate(walk: PullWalk, answerTo: AnswerTo): Simulation {
  const steps: SimulatedStep[] = [];
  let next = walk.next();
  while (next.done !== true) {
    const request = next.value;
    const answer = answerTo(request);
    steps.push({ request, answer });
    next = walk.next(answer);
  }
  return { steps, outcome: next.value };
}

/** The registry has no such thing. */
export const notThere: Answer = { kind: 'status', status: 404 };
/** It is there. */
export const found: Answer = { kind: 'status', status: 200 };
/** Nobody answers at the address. */
export const noConnection: Answer = {
  kind: 'no-connection',
  reason: 'connect: connection refused',
};

/** A registry that is there and has nothing: what is asked of it is whether it is one, and for content. */
export const nothingThere: AnswerTo = (request) => answerOfRegistry(request, notThere);

/**
 * What a registry answers that gives this answer to requests for content: some runtimes ask first
 * whether it is a registry, which only a server that fails altogether denies.
 */
export function answerOfRegistry({ isPing }: PullRequest, answer: Answer): Answer {
  return isPing && answer.kind === 'status' && answer.status < 500 ? found : answer;
}
