/** How manifests and blobs are fetched once the name is found, and what dead endpoints cost then. */

import { digestOf } from '../../oci/digest.ts';
import type { PullEndpoint } from '../pull-chain.ts';
import type { OpenChain } from '../pull-walk.ts';
import {
  type AnswerTo,
  found,
  noConnection,
  nothingThere,
  type Simulation,
  simulate,
} from '../simulate.ts';
import type { DeadEndpoints, ExplainedFetch } from './explanation.ts';

/** Any blob; its bytes do not matter. */
const sample = digestOf('a blob that stands for all');

/** The hosts that are asked for each blob, if the first endpoint that is asked for the name has it. */
export function fetchOf(chain: OpenChain): ExplainedFetch {
  const from = whoServes(chain, () => found);
  const { steps } = simulate(blobRequests(chain, from), nothingThere);
  const asked = [...new Set(steps.map(({ request }) => request.endpoint))];
  const isWholeList = asked.length > 1 || chain.endpoints.length === 1;
  return { hosts: asked.map(({ host }) => host), isWholeList };
}

/** Undefined when there is nothing in front of the last endpoint. */
export function deadEndpoints(chain: OpenChain): DeadEndpoints | undefined {
  const last = chain.endpoints.at(-1);
  const before = chain.endpoints.slice(0, -1);
  if (before.length === 0) return undefined;
  const answerTo: AnswerTo = ({ endpoint }) => (endpoint === last ? found : noConnection);
  const name = simulate(chain.requests.resolve(chain.reference), answerTo);
  const blob = simulate(blobRequests(chain, whoServes(chain, answerTo)), answerTo);
  return {
    hosts: before.map(({ host }) => host),
    nameSeconds: secondsOf(name),
    contentSeconds: secondsOf(blob),
  };
}

function whoServes(chain: OpenChain, answerTo: AnswerTo): PullEndpoint | undefined {
  const { outcome } = simulate(chain.requests.resolve(chain.reference), answerTo);
  return outcome.kind === 'served' ? outcome.by.endpoint : undefined;
}

function blobRequests(chain: OpenChain, from: PullEndpoint | undefined) {
  const content = { digest: sample, kind: 'blobs', urls: [], ...(from && { from }) } as const;
  return chain.requests.fetch(content);
}

function secondsOf({ steps }: Simulation): number {
  const waits = steps
    .filter(({ answer }) => answer.kind === 'no-connection')
    .map(({ request }) => request.endpoint.dialTimeoutMs);
  return waits.reduce((sum, wait) => sum + wait, 0) / 1000;
}
