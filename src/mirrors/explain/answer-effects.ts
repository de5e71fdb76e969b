/** What each answer of an endpoint leads to, found out by assuming it. */

import type { PullEndpoint } from '../pull-chain.ts';
import type { Answer, OpenChain } from '../pull-walk.ts';
import {
  type AnswerTo,
  answerOfRegistry,
  found,
  noConnection,
  nothingThere,
  simulate,
} from '../simulate.ts';
import { nameOfAnswer } from './assumed-answers.ts';

/** What happens after an answer; `next`: another endpoint is asked. */
export type Effect = 'used' | 'next' | 'ends';

/** Answers that lead to the same thing. */
export interface AnswerEffect {
  /** `404`, `no connection`, `bad certificate`. */
  readonly answers: readonly string[];
  readonly effect: Effect;
  /** Requests to the endpoint while it goes on answering so. */
  readonly requests: number;
}

const assumed: readonly Answer[] = [
  ...[200, 302, 401, 403, 404, 405, 429, 500, 503].map(
    (status): Answer => ({ kind: 'status', status }),
  ),
  noConnection,
  { kind: 'broken', reason: 'x509: certificate signed by unknown authority' },
  { kind: 'plain-http' },
];

/**
 * The effects of answers to the request for the image's name. Those before the endpoint are taken to
 * answer 404. An endpoint that is not asked for names has none.
 */
export function effectsOf(chain: OpenChain, endpoint: PullEndpoint): readonly AnswerEffect[] {
  const seen = assumed
    .filter(
      (answer) =>
        answer.kind !== 'plain-http' || endpoint.scheme === 'https' || endpoint.httpsFirst,
    )
    .flatMap((answer) => effectOf(chain, endpoint, answer));
  const groups = Map.groupBy(seen, ({ effect, requests }) => `${effect} ${requests}`);
  return [...groups.values()].map((group) => ({
    answers: group.map(({ answer }) => nameOfAnswer(answer)),
    effect: group[0]?.effect ?? 'ends',
    requests: group[0]?.requests ?? 0,
  }));
}

function effectOf(chain: OpenChain, endpoint: PullEndpoint, answer: Answer) {
  const isBefore = endpointsBefore(chain, endpoint);
  const answerTo: AnswerTo = (request) => {
    const { endpoint: asked } = request;
    if (asked === endpoint) return answerOfRegistry(request, answer);
    return isBefore.has(asked) ? nothingThere(request) : found;
  };
  const { steps, outcome } = simulate(chain.requests.resolve(chain.reference), answerTo);
  const urls = steps.flatMap(({ request }) => (request.endpoint === endpoint ? [request.url] : []));
  const first = urls.find((url) => /\/manifests\//.test(url)) ?? urls[0];
  if (first === undefined) return [];
  // A digest is looked for at a second address too; only repeats of the first one count.
  const requests = urls.filter((url) => pathOf(url) === pathOf(first)).length;
  const effect: Effect =
    outcome.kind === 'failed' ? 'ends' : outcome.by.endpoint === endpoint ? 'used' : 'next';
  return [{ answer, effect, requests }];
}

function endpointsBefore(
  { endpoints }: OpenChain,
  endpoint: PullEndpoint,
): ReadonlySet<PullEndpoint> {
  return new Set(endpoints.slice(0, endpoints.indexOf(endpoint)));
}

/** Without the scheme: an endpoint may turn from HTTPS to HTTP. */
function pathOf(url: string): string {
  return url.replace(/^[a-z]+:/, '');
}
