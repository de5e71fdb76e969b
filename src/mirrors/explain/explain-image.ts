import { upstreamHost } from '../../oci/docker-hub.ts';
import { formatReference } from '../../oci/reference.ts';
import { isRegistryItself } from '../../oci/registry-itself.ts';
import { formatOrigin } from '../finding.ts';
import type { PullChain, PullEndpoint } from '../pull-chain.ts';
import type { OpenChain } from '../pull-walk.ts';
import { nothingThere, type SimulatedStep, simulate } from '../simulate.ts';
import { effectsOf } from './answer-effects.ts';
import { type AssumedAnswer, answersOf, nameOfAnswer } from './assumed-answers.ts';
import { deadEndpoints, fetchOf } from './content-requests.ts';
import { loginOf, trustOf } from './endpoint-facts.ts';
import type {
  AssumedRun,
  ExplainedAnswer,
  ExplainedRequest,
  ExplainedSkip,
  Explanation,
} from './explanation.ts';

/** What belongs to the site; without a Site, everything but the registry itself does. */
export interface SiteView {
  isInside(scheme: string, host: string): boolean;
  readonly mayLeave: boolean;
}

/** What a user wants to know beside the chain itself. */
export interface ExplainOptions {
  readonly site: SiteView | undefined;
  readonly assumed: readonly AssumedAnswer[];
}

/**
 * Says what a node does to pull an image, from its chain alone: `registry.k8s.io/pause:3.9` with one
 * mirror in the registry's place → one request, and that nothing leaves the site. Sends nothing.
 */
export function explainImage(chain: PullChain, { site, assumed }: ExplainOptions): Explanation {
  const common = {
    image: formatReference(chain.reference),
    runtime: `${chain.runtime.name}@${chain.runtime.version}`,
    registry: chain.registry,
    findings: chain.findings,
  };
  if (chain.kind === 'refused') {
    const answer = { kind: 'refused', error: chain.error, origin: chain.origin } as const;
    return { ...common, answer, requests: [], skipped: skippedFiles(chain) };
  }
  const { steps, outcome } = simulate(chain.requests.resolve(chain.reference), nothingThere);
  const isInside = insideOf(chain, site);
  const requests = requestsOf(chain, steps, isInside);
  const asked = new Set(steps.map(({ request }) => request.endpoint));
  const dead = deadEndpoints(chain);
  return {
    ...common,
    answer: answerOf({ chain, requests, isInside, failure: failureOf(outcome), site }),
    requests,
    skipped: [...skippedEndpoints(chain, asked), ...skippedFiles(chain)],
    fetch: fetchOf(chain),
    ...(dead !== undefined && { dead }),
    ...(outcome.kind === 'failed' && { failure: outcome.error }),
    ...(assumed.length > 0 && { assumed: assumedRun(chain, assumed) }),
  };
}

type IsInside = (endpoint: PullEndpoint) => boolean;

function insideOf(chain: OpenChain, site: SiteView | undefined): IsInside {
  if (site !== undefined) return ({ scheme, host }) => site.isInside(scheme, host);
  // The registry may be named as a mirror, or as what stands in its own place.
  return ({ role, host }) => role !== 'upstream' && !isRegistryItself(chain.registry, host);
}

function answerOf({
  chain,
  requests,
  isInside,
  failure,
  site,
}: {
  readonly chain: OpenChain;
  readonly requests: readonly ExplainedRequest[];
  readonly isInside: IsInside;
  readonly failure: string;
  readonly site: SiteView | undefined;
}): ExplainedAnswer {
  const [first] = requests;
  const [origin] = chain.endpoints.map((endpoint) => endpoint.origin);
  if (first === undefined || origin === undefined) {
    return { kind: 'refused', error: failure, origin: origin ?? { file: chain.registry } };
  }
  // Content is fetched from endpoints that names are not asked of, too.
  const hosts = chain.endpoints.filter((endpoint) => endpoint.reachable && !isInside(endpoint));
  const asked = new Set([...requests.map(({ host }) => host), ...fetchOf(chain).hosts]);
  const leaves = [...new Set(hosts.map(({ host }) => host))].filter((host) => asked.has(host));
  return { kind: 'pulls', from: first.host, leaves, mayLeave: site?.mayLeave ?? false };
}

function failureOf(outcome: { readonly kind: string; readonly error?: string }): string {
  return outcome.error ?? '';
}

/** One for each endpoint that is asked for the name, in order; what else it is asked for stands in `also`. */
function requestsOf(
  chain: OpenChain,
  steps: readonly SimulatedStep[],
  isInside: IsInside,
): readonly ExplainedRequest[] {
  const byEndpoint = Map.groupBy(steps, ({ request }) => request.endpoint);
  return Array.from(byEndpoint, ([endpoint, group]) => {
    const sent = group.map(({ request }) => request);
    // Some runtimes ask first whether it is a registry at all.
    const first = sent.find(({ url }) => /\/manifests\//.test(url)) ?? sent[0];
    const more = sent.filter((request) => request !== first);
    const rewritten =
      endpoint.repository === chain.repository ? {} : { rewrittenTo: endpoint.repository };
    return {
      method: first?.method ?? '',
      url: first?.url ?? '',
      host: endpoint.host,
      role: endpoint.role,
      isInside: isInside(endpoint),
      origin: endpoint.origin,
      trust: trustOf(endpoint),
      login: loginOf(endpoint, chain),
      headers: [...endpoint.headers.keys()],
      ...rewritten,
      effects: effectsOf(chain, endpoint),
      dialTimeoutMs: endpoint.dialTimeoutMs,
      also: more.map(({ method, url }) => `${method} ${url}`),
    };
  });
}

function skippedEndpoints(
  chain: OpenChain,
  asked: ReadonlySet<PullEndpoint>,
): readonly ExplainedSkip[] {
  const left = chain.endpoints.filter((endpoint) => !asked.has(endpoint));
  const skipped = left.map(
    (endpoint): ExplainedSkip => ({
      what: endpoint.base,
      because: endpoint.reachable
        ? `names are not asked there, since it may only ${endpoint.capabilities.join(', ')}`
        : 'its URL is broken, so nothing can be sent there',
      origin: endpoint.origin,
    }),
  );
  const isListed = chain.endpoints.some(
    ({ role, host }) => role === 'upstream' || isRegistryItself(chain.registry, host),
  );
  // A runtime that blocks the registry says so itself, with the line.
  const isSaid = chain.skipped.length > 0 && !chain.endpoints.some(({ role }) => role === 'server');
  return isListed || isSaid ? skipped : [...skipped, skippedUpstream(chain)];
}

function skippedUpstream({ registry, endpoints }: OpenChain): ExplainedSkip {
  const what = `https://${upstreamHost(registry)}`;
  const server = endpoints.find(({ role }) => role === 'server');
  return server === undefined
    ? { what, because: 'no rule names the registry itself, and the runtime does not add it' }
    : {
        what,
        because: `${server.host} stands in the place of the registry`,
        origin: server.origin,
      };
}

function skippedFiles({ skipped }: PullChain): readonly ExplainedSkip[] {
  return skipped.map(({ origin, because }) => ({
    what: origin.file ?? formatOrigin(origin),
    because,
    origin,
  }));
}

function assumedRun(chain: OpenChain, assumed: readonly AssumedAnswer[]): AssumedRun {
  const { steps, outcome } = simulate(chain.requests.resolve(chain.reference), answersOf(assumed));
  return {
    steps: steps.map(({ request: { method, url }, answer }) => ({
      method,
      url,
      answer: nameOfAnswer(answer),
    })),
    outcome: outcome.kind === 'served' ? outcome.by.endpoint.host : outcome.error,
    isServed: outcome.kind === 'served',
  };
}
