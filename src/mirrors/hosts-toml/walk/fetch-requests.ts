import type { FetchedContent, PullWalk } from '../../pull-walk.ts';
import { pathOf } from '../../request-url.ts';
import { type Answered, AskSession, grants, statusText, unexpected } from './ask-session.ts';
import type { AskedChain } from './asked-chain.ts';
import { urlRequests } from './descriptor-urls.ts';

/**
 * Fetching a blob or a manifest by digest: the whole list again from the top, whatever an
 * endpoint's capabilities say, as long as one of them pulls. The `urls` of its descriptor come first.
 */
export function* fetchRequests(
  chain: AskedChain,
  { digest, kind, urls }: FetchedContent,
  session = new AskSession(chain),
): PullWalk {
  if (!chain.endpoints.some((endpoint) => grants(endpoint, ['pull']))) {
    return { kind: 'failed', error: 'no pull hosts: not found' };
  }
  const outside = yield* urlRequests(chain, urls);
  if (outside !== undefined) return outside;
  let first: string | undefined;
  for (const endpoint of chain.endpoints) {
    const isLast = endpoint === chain.endpoints.at(-1);
    const path = pathOf(endpoint.repository, kind, digest);
    const result = yield* session.ask(endpoint, 'GET', path, { isLast, carriesNs: true });
    if (result.kind === 'response' && result.status < 300) {
      return { kind: 'served', by: result.request };
    }
    first ??= result.kind === 'error' ? result.text : fetchError(result, { digest, kind }, chain);
  }
  return { kind: 'failed', error: first ?? `content ${digest} not found` };
}

/** Source: withErrorCheck in containerd core/remotes/docker/resolver.go, Fetch in fetcher.go. */
function fetchError(
  response: Answered,
  { digest, kind }: Pick<FetchedContent, 'digest' | 'kind'>,
  { answers }: AskedChain,
): string {
  if (response.status !== 404) {
    if (answers.fetchErrorsNameMethod) return unexpected(response);
    return `unexpected status code ${response.asked}: ${statusText(response.status)}`;
  }
  if (kind === 'manifests') return `content at ${response.asked} not found: not found`;
  return `could not fetch content ${digest} from remote: not found`;
}
