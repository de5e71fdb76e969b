/**
 * The requests that containers/image sends: a look at /v2/ first, then the manifest by GET, and everything else only
 * from the place that had the manifest.
 *
 * Source: go.podman.io/image/v5 v5.38.0, docker/docker_client.go and docker/docker_image_src.go; checked
 * against skopeo in test/oracles/registries-conf.
 */

import type { Digest } from '../../../oci/digest.ts';
import type { Reference } from '../../../oci/reference.ts';
import type { PullEndpoint } from '../../pull-chain.ts';
import type {
  Answer,
  ChainRequests,
  FetchedContent,
  PullRequest,
  PullWalk,
  WalkOutcome,
} from '../../pull-walk.ts';
import type { Attempt } from './pull-attempts.ts';
import { type Asked, RegistryClient } from './registry-client.ts';

/** All tries for an image, candidate by candidate, and the one for a push. */
export interface WalkedImage {
  readonly reference: Reference;
  readonly candidates: ReadonlyArray<readonly Attempt[]>;
  readonly push: Attempt;
}

/** What is sent for one image; the places that were found to answer are remembered between the walks. */
export function registriesConfRequests(image: WalkedImage): ChainRequests {
  const client = new RegistryClient();
  return {
    resolve: (reference) => resolveRequests(image, reference, client),
    fetch: (content) => fetchRequests(image, content, client),
    push: (digest) => pushRequests(image, digest, client),
  };
}

function* resolveRequests(
  { candidates }: WalkedImage,
  { digest, tag = 'latest' }: Reference,
  client: RegistryClient,
): PullWalk {
  let last = 'no place is asked';
  for (const attempts of candidates) {
    const errors: string[] = [];
    for (const attempt of attempts) {
      const asked = yield* askFor(attempt, ['manifests', digest ?? tag], client);
      if (asked.kind === 'answered') return { kind: 'served', by: asked.by };
      errors.push(asked.error);
    }
    last = combinedError(attempts, errors);
  }
  return { kind: 'failed', error: last };
}

function* askFor(attempt: Attempt, path: readonly [string, string], client: RegistryClient): Asked {
  if (attempt.endpoint === undefined) return { kind: 'failed', error: attempt.error ?? '' };
  return yield* client.get(attempt.endpoint, path);
}

/** The error of the last place, behind those of the mirrors. */
function combinedError(attempts: readonly Attempt[], errors: readonly string[]): string {
  const lastError = errors.at(-1) ?? '';
  if (errors.length < 2) return lastError;
  const mirrors = attempts
    .slice(0, -1)
    .map(({ name }, index) => `[${name}: ${errors[index] ?? ''}]`);
  return `(Mirrors also failed: ${mirrors.join('\n')}): ${attempts.at(-1)?.name ?? ''}: ${lastError}`;
}

function* fetchRequests(
  { candidates }: WalkedImage,
  { digest, kind, urls, from }: FetchedContent,
  client: RegistryClient,
): PullWalk {
  const endpoints = candidates.flat().flatMap(({ endpoint }) => endpoint ?? []);
  const [first] = endpoints;
  const place = from ?? first;
  if (place === undefined) return { kind: 'failed', error: 'no place is asked' };
  if (from !== undefined) client.hasServed(from);
  const outside = yield* outsideRequests(place, urls, client);
  if (outside !== undefined) return outside;
  let error = '';
  for (const endpoint of from === undefined ? endpoints : [from]) {
    const asked = yield* client.get(endpoint, [kind, digest]);
    if (asked.kind === 'answered') return { kind: 'served', by: asked.by };
    error = asked.error;
  }
  return { kind: 'failed', error: kind === 'blobs' ? `fetching blob: ${error}` : error };
}

/** Addresses in the descriptor come first; when all of them fail, the place itself is not asked any more. */
function* outsideRequests(
  endpoint: PullEndpoint,
  urls: readonly string[],
  client: RegistryClient,
): Generator<PullRequest, WalkOutcome | undefined, Answer> {
  const errors: string[] = [];
  for (const url of urls.filter((one) => /^https?:\/\//i.test(one))) {
    const request = { method: 'GET', url, endpoint, isFromDescriptor: true } as const;
    const asked = yield* client.send(request);
    if (asked.kind === 'answered' && asked.status === 200) return { kind: 'served', by: request };
    errors.push(asked.kind === 'answered' ? `${url}: ${asked.status}` : asked.error);
  }
  if (errors.length === 0) return undefined;
  const error = `failed fetching external blob from all urls: ${errors.join(', ')}`;
  return { kind: 'failed', error };
}

/** A blob is looked for before it is uploaded. */
function* pushRequests({ push }: WalkedImage, digest: Digest, client: RegistryClient): PullWalk {
  if (push.endpoint === undefined) return { kind: 'failed', error: push.error ?? '' };
  const check = yield* client.ask(push.endpoint, 'HEAD', ['blobs', digest]);
  if (check.kind === 'failed') return check;
  if (check.status === 200) return { kind: 'served', by: check.by };
  if (check.status !== 404) return { kind: 'failed', error: client.statusError(check) };
  const upload = yield* client.ask(push.endpoint, 'POST', ['blobs', 'uploads/']);
  if (upload.kind === 'failed') return upload;
  if (upload.status === 202) return { kind: 'served', by: upload.by };
  return { kind: 'failed', error: client.statusError(upload) };
}
