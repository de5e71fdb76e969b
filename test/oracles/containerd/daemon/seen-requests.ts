/** What a registry can see of a pull, in an order that does not depend on chance. */

import type { PullAnswer, SentRequest } from '../answers.ts';
import { subjectOf } from '../world/world.ts';

/** One thing that was asked for → the requests for it, in order. */
export type SeenRequests = Readonly<Record<string, readonly SentRequest[]>>;

/** Blobs are fetched side by side: each has an order of its own; all else has one. */
export function groupRequests(requests: readonly SentRequest[]): SeenRequests {
  const groups: Record<string, SentRequest[]> = {};
  for (const request of requests) {
    const path = /^\w+:\/\/[^/]*([^?]*)/.exec(request.url)?.[1] ?? '';
    const { subject, name } = subjectOf(path);
    const group = subject === 'blob' && request.method === 'GET' ? name : 'manifest';
    groups[group] = [...(groups[group] ?? []), request];
  }
  return groups;
}

/** The part of a computed pull that reaches a registry; of trust only a client certificate is seen. */
export function visibleRequests({ steps = [] }: PullAnswer): readonly SentRequest[] {
  return steps
    .filter(({ what }) => what !== 'push')
    .flatMap(({ requests }) => requests)
    .filter(({ answer }) => answer === 'cut' || /^\d/.test(answer))
    .map(({ method, url, authorization, marks, clients, answer }) => ({
      method,
      url,
      ...(authorization !== undefined && { authorization }),
      ...(marks !== undefined && { marks }),
      ...(clients !== undefined && { clients: 1 }),
      answer,
    }));
}

/** True when all of the image came. */
export function isPulled({ steps = [] }: PullAnswer): boolean {
  return steps.some(({ what, error }) => what === 'layer' && error === undefined);
}
