import { fetchRequests } from '../mirrors/fetch-requests.ts';
import type { OpenChain, PullRequest, PullWalk } from '../mirrors/pull-walk.ts';
import { resolveRequests } from '../mirrors/resolve-requests.ts';
import { type Answered, type Ask, answerOf, type Reply, type Stopped } from './exchange.ts';
import type { Operation } from './operations.ts';

/** One request with its reply. */
export interface Step {
  readonly request: PullRequest;
  readonly reply: Reply;
}

/**
 * How an operation ended, with every request on the way.
 *
 * - `served`: `reply` is the last one, of the endpoint that the runtime then believes
 * - `failed`: no endpoint helped; `error` is in the runtime's own words
 * - `stopped`: the pull cannot go on, whatever the other endpoints have
 */
export type Walked = { readonly trail: readonly Step[] } & (
  | { readonly kind: 'served'; readonly by: PullRequest; readonly reply: Reply & Answered }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'stopped'; readonly reply: Reply & Stopped }
);

/**
 * The requests of one operation on one chain, as the runtime sends them: yields each and is told the
 * reply. Sends nothing itself. A name whose HEAD says too little is read by GET, as runtimes do.
 */
export function* walkOperation(
  operation: Operation,
  chain: OpenChain,
): Generator<Ask, Walked, Reply> {
  const walk = requestsFor(operation, chain);
  const trail: Step[] = [];
  let step = walk.next();
  while (!step.done) {
    const reply = yield* ask(step.value, operation, trail);
    if (reply.kind === 'stopped') return { kind: 'stopped', reply, trail };
    step = walk.next(answerOf(reply));
  }
  if (step.value.kind === 'failed') return { kind: 'failed', error: step.value.error, trail };
  return yield* believe(step.value.by, operation, trail);
}

function requestsFor(operation: Operation, chain: OpenChain): PullWalk {
  switch (operation.kind) {
    case 'resolve':
      return resolveRequests({ ...chain, reference: operation.reference });
    case 'manifest':
      return fetchRequests(chain, operation.blob.digest, 'manifests');
    case 'blob':
      return fetchRequests(chain, operation.blob.digest);
  }
}

function* ask(
  request: PullRequest,
  operation: Operation,
  trail: Step[],
): Generator<Ask, Reply, Reply> {
  const isSame = ({ request: { method, url } }: Step) =>
    method === request.method && url === request.url;
  const attempt = trail.filter(isSame).length + 1;
  const reply = yield { request, operation, attempt };
  trail.push({ request, reply });
  return reply;
}

/** Without a size, and for a tag without a digest, runtimes read the manifest instead of its head. */
function isVague(operation: Operation, { digest, sizeBytes, isRead }: Answered): boolean {
  if (operation.kind !== 'resolve' || isRead) return false;
  const isByTag = operation.reference.digest === undefined;
  return sizeBytes === undefined || (isByTag && digest === undefined);
}

function* believe(
  by: PullRequest,
  operation: Operation,
  trail: Step[],
): Generator<Ask, Walked, Reply> {
  const last = trail.at(-1)?.reply;
  if (last?.kind !== 'answered') throw new TypeError('a walk is served by an answer');
  if (!isVague(operation, last)) return { kind: 'served', by, reply: last, trail };
  const reply = yield* ask({ ...by, method: 'GET' }, operation, trail);
  if (reply.kind === 'stopped') return { kind: 'stopped', reply, trail };
  if (reply.kind === 'unanswered') return { kind: 'failed', error: reply.reason, trail };
  if (reply.status < 300) return { kind: 'served', by, reply, trail };
  return { kind: 'failed', error: `GET ${by.url}: ${reply.status}`, trail };
}
