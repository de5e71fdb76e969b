import type { ChainRequests } from '../../pull-walk.ts';
import { AskSession } from './ask-session.ts';
import type { AskedChain } from './asked-chain.ts';
import { fetchRequests } from './fetch-requests.ts';
import { pushRequests } from './push-requests.ts';
import { resolveRequests } from './resolve-requests.ts';

/** What containerd sends to the endpoints of one image. */
export function containerdRequests(chain: AskedChain): ChainRequests {
  // One fetcher fetches all content of an image; resolving and pushing are clients of their own.
  const fetching = new AskSession(chain);
  return {
    resolve: (reference) => resolveRequests({ ...chain, reference }),
    // The whole list is asked again for each piece, whoever served the manifest.
    fetch: (content) => fetchRequests(chain, content, fetching),
    push: (digest) => pushRequests(chain, digest),
  };
}
