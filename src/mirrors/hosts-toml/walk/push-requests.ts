import type { Digest } from '../../../oci/digest.ts';
import type { PullWalk } from '../../pull-walk.ts';
import { pathOf } from '../../request-url.ts';
import { AskSession, grants, unexpected } from './ask-session.ts';
import type { AskedChain } from './asked-chain.ts';

/** Pushing one blob under the chain's name: only the first endpoint that takes pushes. */
export function* pushRequests(chain: AskedChain, digest: Digest): PullWalk {
  const endpoint = chain.endpoints.find((candidate) => grants(candidate, ['push']));
  if (endpoint === undefined) return { kind: 'failed', error: 'no push hosts: not found' };
  const session = new AskSession(chain);
  const options = { isLast: true, carriesNs: chain.answers.pushesCarryNs };
  const blob = pathOf(endpoint.repository, 'blobs', digest);
  const check = yield* session.head(endpoint, blob, options);
  const mayUpload = check.kind === 'error' ? check.why === 'login' : check.status === 404;
  if (!mayUpload) {
    if (check.kind === 'error') return { kind: 'failed', error: check.text };
    if (check.status === 200) return { kind: 'served', by: check.request };
    return { kind: 'failed', error: unexpected(check) };
  }
  const upload = yield* session.ask(
    endpoint,
    'POST',
    pathOf(endpoint.repository, 'blobs', 'uploads/'),
    options,
  );
  if (upload.kind === 'error') return { kind: 'failed', error: upload.text };
  if (upload.status < 300) return { kind: 'served', by: upload.request };
  return { kind: 'failed', error: unexpected(upload) };
}
