/**
 * What Docker sends when it keeps images in its classic store: one endpoint after the other is asked
 * for the whole image, each first for its API's root. Source: moby/moby v28.5.2 distribution/pull.go,
 * pull_v2.go, push.go, errors.go (continueOnError), and docker/distribution registry/client.
 */

import { STATUS_CODES } from 'node:http';
import { familiarName, type Reference } from '../../../oci/reference.ts';
import type { PullEndpoint } from '../../pull-chain.ts';
import type {
  Answer,
  ChainRequests,
  FetchedContent,
  PullRequest,
  PullWalk,
  WalkOutcome,
} from '../../pull-walk.ts';
import { pathOf, type RequestMethod, type RequestPath, urlOf } from '../../request-url.ts';

/** `max-download-attempts` unless daemon.json says otherwise; a layer only. */
const DOWNLOAD_ATTEMPTS = 5;

/** `/v2/` itself. */
const ROOT: RequestPath = { kind: 'manifests', parts: [''] };

/** `goes-on`: the next endpoint is asked; `stops`: the pull ends with this error. */
type Attempt =
  | { readonly kind: 'served'; readonly by: PullRequest }
  | { readonly kind: 'goes-on' | 'stops'; readonly error: string };

type Asking = Generator<PullRequest, Attempt, Answer>;

/** The walks over these endpoints. */
export function classicRequests(endpoints: readonly PullEndpoint[]): ChainRequests {
  return {
    resolve: (reference) => walk(endpoints, (endpoint) => askForName(endpoint, reference)),
    fetch: (content) => walk(behind(endpoints, content), (endpoint) => askFor(endpoint, content)),
    push: (digest) => {
      const own = endpoints.filter(({ role }) => role === 'upstream');
      return walk(own, (endpoint) => pushTo(endpoint, digest));
    },
  };
}

/** All of an image comes from one endpoint; when that fails, the next ones are asked for all of it. */
function behind(endpoints: readonly PullEndpoint[], { from }: FetchedContent) {
  const at = endpoints.findIndex(({ base }) => base === from?.base);
  return endpoints.slice(Math.max(at, 0));
}

/** An HTTP endpoint is left out once its host has answered over HTTPS. */
function* walk(
  endpoints: readonly PullEndpoint[],
  ask: (endpoint: PullEndpoint) => Asking,
): PullWalk {
  const speaksTls = new Set<string>();
  let error = 'no endpoints found';
  for (const endpoint of endpoints) {
    if (endpoint.scheme !== 'https' && speaksTls.has(endpoint.host)) continue;
    const ping = yield* send(endpoint, 'GET', ROOT);
    if (ping.answer.kind !== 'status') {
      error = transportText(ping);
      continue;
    }
    if (endpoint.scheme === 'https') speaksTls.add(endpoint.host);
    const attempt = yield* ask(endpoint);
    if (attempt.kind === 'served') return attempt;
    error = attempt.error;
    if (attempt.kind === 'stops') break;
  }
  return { kind: 'failed', error } satisfies WalkOutcome;
}

/** A tag by HEAD, and by GET where that was not answered with success; a digest by GET. */
function* askForName(endpoint: PullEndpoint, reference: Reference): Asking {
  const name = reference.digest ?? reference.tag ?? 'latest';
  const path = pathOf(endpoint.repository, 'manifests', name);
  if (reference.digest === undefined) {
    const head = yield* send(endpoint, 'HEAD', path);
    if (head.answer.kind !== 'status') return { kind: 'goes-on', error: transportText(head) };
    if (isSuccess(head.answer.status)) return { kind: 'served', by: head.request };
  }
  const get = yield* send(endpoint, 'GET', path);
  return attemptOf(get, endpoint, familiarName(reference));
}

function* askFor(endpoint: PullEndpoint, { kind, digest }: FetchedContent): Asking {
  const path = pathOf(endpoint.repository, kind, digest);
  for (let sent = 1; ; sent += 1) {
    const got = yield* send(endpoint, 'GET', path);
    const attempt = attemptOf(got, endpoint, endpoint.repository);
    const isRepeated = got.answer.kind !== 'status' || got.answer.status >= 500;
    if (attempt.kind === 'served') return attempt;
    if (kind === 'blobs' && isRepeated && sent < DOWNLOAD_ATTEMPTS) continue;
    // A layer that cannot be had ends the attempt with this endpoint, whatever its answer was.
    return kind === 'blobs' ? { ...attempt, kind: 'goes-on' } : attempt;
  }
}

function* pushTo(endpoint: PullEndpoint, digest: string): Asking {
  const head = yield* send(endpoint, 'HEAD', pathOf(endpoint.repository, 'blobs', digest));
  if (head.answer.kind === 'status' && isSuccess(head.answer.status)) {
    return { kind: 'served', by: head.request };
  }
  const upload = pathOf(endpoint.repository, 'blobs', 'uploads/');
  const post = yield* send(endpoint, 'POST', upload);
  const attempt = attemptOf(post, endpoint, endpoint.repository);
  return attempt.kind === 'served' ? attempt : { ...attempt, kind: 'stops' };
}

interface Sent {
  readonly request: PullRequest;
  readonly answer: Answer;
}

function* send(
  endpoint: PullEndpoint,
  method: RequestMethod,
  path: RequestPath,
): Generator<PullRequest, Sent, Answer> {
  const { scheme, base, host } = endpoint;
  const target = urlOf({ host, path: '' }, path, { ns: undefined, scheme });
  const asked = { method, url: target.ok ? below(endpoint.path, target.url) : base, endpoint };
  const request: PullRequest = path === ROOT ? { ...asked, isPing: true } : asked;
  if (!target.ok) return { request, answer: { kind: 'broken', reason: target.reason } };
  return { request, answer: yield request };
}

/** `https://m/library/…` → `https://m/hub/v2/library/…`; slashes that a mirror has twice stay. */
function below(path: string, url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return `${url.slice(0, slash)}${encodeURI(path)}${url.slice(slash)}`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** An answer that a registry's error document explains ends the pull, unless a mirror gave it. */
function attemptOf({ request, answer }: Sent, { role }: PullEndpoint, name: string): Attempt {
  if (answer.kind !== 'status')
    return { kind: 'goes-on', error: transportText({ request, answer }) };
  const { status } = answer;
  if (isSuccess(status)) return { kind: 'served', by: request };
  const isExplained = status >= 400 && status < 500;
  const kind = isExplained && role !== 'mirror' ? 'stops' : 'goes-on';
  return { kind, error: statusText(status, name) };
}

function statusText(status: number, name: string): string {
  if (status === 404) return `manifest for ${name} not found: manifest unknown`;
  if (status === 401 || status === 403) {
    return `pull access denied for ${name}, repository does not exist or may require 'docker login'`;
  }
  return `received unexpected HTTP status: ${`${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()}`;
}

function transportText({ request: { method, url }, answer }: Sent): string {
  const reason =
    answer.kind === 'plain-http' || answer.kind === 'status'
      ? 'http: server gave HTTP response to HTTPS client'
      : answer.reason;
  return `${method.charAt(0)}${method.slice(1).toLowerCase()} ${JSON.stringify(url)}: ${reason}`;
}
