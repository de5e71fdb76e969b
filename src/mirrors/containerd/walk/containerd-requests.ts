import type { ChainRequests } from '../../pull-walk.ts';
import type { AskedChain } from './asked-chain.ts';
import { fetchRequests } from './fetch-requests.ts';
import { pushRequests } from './push-requests.ts';
import { resolveRequests } from './resolve-requests.ts';

/** What containerd sends to the endpoints of one image. */
export function containerdRequests(chain: AskedChain): ChainRequests {
  return {
    resolve: (reference) => resolveRequests({ ...chain, reference }),
    // The whole list is asked again for each piece, whoever served the manifest.
    fetch: (content) => fetchRequests(chain, content),
    push: (digest) => pushRequests(chain, digest),
  };
}
