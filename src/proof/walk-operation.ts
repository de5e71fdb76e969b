import type {
  FetchedContent,
  OpenChain,
  PullRequest,
  PullWalk,
  WalkOutcome,
} from '../mirrors/pull-walk.ts';
import type { Operation } from './operations.ts';
import { type Answered, type Ask, answerOf, type Reply, type Stopped } from './wire/exchange.ts';

type Served = Walked & { readonly kind: 'served' };

/** What is known about where content is, before it is fetched. */
export type FetchHints = Pick<FetchedContent, 'urls' | 'from'>;

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
  hints: FetchHints = { urls: [] },
): Generator<Ask, Walked, Reply> {
  const walk = requestsFor(operation, chain, hints);
  const trail: Step[] = [];
  let tooLarge: Served | undefined;
  let step = walk.next();
  while (!step.done) {
    const told = yield* askWhole(step.value, { operation, trail, known: tooLarge?.reply.digest });
    if (told.kind !== 'told') return told;
    const { by, reply } = told;
    if (isTooLarge(operation, reply, chain)) {
      tooLarge ??= { kind: 'served', by, reply, trail };
      if (!mayGoOn(operation, tooLarge.reply)) return tooLarge;
    }
    step = walk.next(answerOf(reply));
  }
  return endOf(step.value, trail, tooLarge);
}

function requestsFor(operation: Operation, { requests }: OpenChain, hints: FetchHints): PullWalk {
  switch (operation.kind) {
    case 'resolve':
      return requests.resolve(operation.reference);
    case 'manifest':
      return requests.fetch({ digest: operation.blob.digest, kind: 'manifests', ...hints });
    case 'blob':
      return requests.fetch({ digest: operation.blob.digest, kind: 'blobs', ...hints });
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

/** What one request of a walk stands in; `known` is the digest behind the tag from an answer before. */
interface Asking {
  readonly operation: Operation;
  readonly trail: Step[];
  readonly known: string | undefined;
}

/** A reply that says all that the runtime wants to know, or how the walk ends without one. */
type Told =
  | { readonly kind: 'told'; readonly by: PullRequest; readonly reply: Exclude<Reply, Stopped> }
  | Exclude<Walked, Served>;

/** Whoever says yes to HEAD and no to GET ends the pull: no other endpoint is asked. */
function* askWhole(
  by: PullRequest,
  { operation, trail, known }: Asking,
): Generator<Ask, Told, Reply> {
  const head = yield* ask(by, operation, trail);
  if (head.kind === 'stopped') return { kind: 'stopped', reply: head, trail };
  if (by.isPing || !isVague(operation, head, known)) return { kind: 'told', by, reply: head };
  const reply = yield* ask({ ...by, method: 'GET' }, operation, trail);
  if (reply.kind === 'stopped') return { kind: 'stopped', reply, trail };
  if (reply.kind === 'unanswered') return { kind: 'failed', error: reply.reason, trail };
  if (reply.status < 300) return { kind: 'told', by, reply };
  return { kind: 'failed', error: `GET ${by.url}: ${reply.status}`, trail };
}

function endOf(outcome: WalkOutcome, trail: readonly Step[], tooLarge: Served | undefined): Walked {
  if (outcome.kind === 'failed') return tooLarge ?? { kind: 'failed', error: outcome.error, trail };
  const last = trail.at(-1)?.reply;
  if (last?.kind !== 'answered') throw new TypeError('a walk is served by an answer');
  const reply = { ...last, digest: tooLarge?.reply.digest ?? last.digest };
  return { kind: 'served', by: outcome.by, reply, trail };
}

/** Without a size, and for a tag without a digest, runtimes read the manifest instead of its head. */
function isVague(operation: Operation, reply: Reply, known: string | undefined): boolean {
  if (operation.kind !== 'resolve' || reply.kind !== 'answered') return false;
  if (reply.isRead || reply.status >= 300) return false;
  const digest = operation.reference.digest ?? known ?? reply.digest;
  return reply.sizeBytes === undefined || digest === undefined;
}

function isTooLarge(
  operation: Operation,
  reply: Reply,
  { wire }: OpenChain,
): reply is Reply & Answered {
  if (operation.kind !== 'resolve' || reply.kind !== 'answered') return false;
  return reply.status < 300 && (reply.sizeBytes ?? 0) > wire.largestResolvedBytes;
}

/**
 * After an answer that is too large the next endpoint is asked, but the runtime keeps the digest that
 * this one named for the tag: another one cannot be made good any more.
 */
function mayGoOn(operation: Operation, { digest }: Answered): boolean {
  if (operation.kind !== 'resolve') return false;
  return operation.reference.digest !== undefined || digest === operation.want;
}
