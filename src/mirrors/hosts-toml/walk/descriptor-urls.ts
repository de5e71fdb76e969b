/** The addresses that a descriptor itself names for its content, which containerd asks before any mirror. */

import type { PullEndpoint } from '../../pull-chain.ts';
import type { Answer, PullRequest, WalkOutcome } from '../../pull-walk.ts';
import { type Result, resultOf, unexpected } from './ask-session.ts';
import type { AskedChain } from './asked-chain.ts';

/** Go's http.DefaultTransport waits so long for a connection. */
const dialTimeoutMs = 30_000;

/**
 * Asks the `urls` of a descriptor, each by its own client: without the rules, logins and authorities
 * of any hosts.toml. `['http://out.example/layer']` → one GET to it. Undefined when every one answered
 * 404, so that the chain comes next; any other refusal ends the pull.
 * Source: Fetch in containerd core/remotes/docker/fetcher.go, 1.7 to 2.3 alike.
 */
export function* urlRequests(
  chain: AskedChain,
  urls: readonly string[],
): Generator<PullRequest, WalkOutcome | undefined, Answer> {
  for (const text of urls) {
    const url = URL.parse(text);
    // Others are passed over, as what cannot be read is.
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    const request: PullRequest = {
      method: 'GET',
      url: `${url.origin}${url.pathname}${url.search}`,
      endpoint: endpointAt(url, chain),
      isFromDescriptor: true,
    };
    const result = yield* askPatiently(request, chain);
    if (result.kind === 'error') return { kind: 'failed', error: result.text };
    if (result.status < 300) return { kind: 'served', by: request };
    if (result.status !== 404) return { kind: 'failed', error: unexpected(result) };
  }
  return undefined;
}

function* askPatiently(
  request: PullRequest,
  { answers }: AskedChain,
): Generator<PullRequest, Result, Answer> {
  for (let sent = 1; ; sent += 1) {
    const result = resultOf(yield request, request);
    const isThrottled =
      result.kind === 'response' && (result.status === 408 || result.status === 429);
    if (!isThrottled || sent >= answers.attempts) return result;
  }
}

function endpointAt(url: URL, { endpoints: [first] }: AskedChain): PullEndpoint {
  if (first === undefined) throw new TypeError('an open chain has endpoints');
  return {
    role: 'upstream',
    scheme: url.protocol.slice(0, -1),
    host: url.host,
    path: url.pathname,
    base: url.href,
    repository: '',
    reachable: true,
    capabilities: ['pull'],
    httpsFirst: false,
    trust: { ca: [], clients: [], skipVerify: false },
    headers: new Map(),
    dialTimeoutMs,
    origin: first.origin,
  };
}
