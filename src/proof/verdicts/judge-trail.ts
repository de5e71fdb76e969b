/** What it means when no endpoint of a chain helped. */

import type { Asked, Failure } from '../report.ts';
import type { Step } from '../walk-operation.ts';
import type { Reply, Stopped } from '../wire/exchange.ts';

/** More would not help a reader. */
const shownRequests = 6;

type Refusal = Exclude<Reply, Stopped>;

/**
 * Kinds of refusals, the most telling first: who denies or cannot be reached may still have the
 * image, so "not found" is the answer only when everybody says so.
 */
const order = [
  'denied',
  'strange-answer',
  'registry-failed',
  'rate-limited',
  'unreachable',
  'not-found',
] as const;
type RefusalKind = (typeof order)[number];

/**
 * The failure behind the requests of an operation, from the most telling reply. Without any request
 * the runtime's configuration is to blame: `error` is then in its words.
 */
export function failureOfTrail(trail: readonly Step[], error: string): Failure {
  const common = { asked: askedIn(trail), because: [], do: [] };
  const refusals = withoutPassedPings(trail).flatMap(({ request, reply }) =>
    reply.kind === 'stopped'
      ? []
      : [{ host: hostOf(request.endpoint.host, reply), reply, kind: kindOf(reply) }],
  );
  const kind = order.find((candidate) => refusals.some((one) => one.kind === candidate));
  const worst = refusals.findLast((one) => one.kind === kind);
  if (kind === undefined || worst === undefined) {
    const summary = `the runtime asks nobody: ${error}`;
    return { kind: 'configuration-refused', summary, ...common };
  }
  const { host, reply } = worst;
  const status = reply.kind === 'answered' ? reply.status : 0;
  const summary = summaryOf(kind, host, reply);
  switch (kind) {
    case 'denied': {
      const user = reply.kind === 'answered' ? reply.user : undefined;
      return { kind, summary, ...common, ...(user === undefined ? {} : { user }) };
    }
    case 'registry-failed':
      return { kind, summary, ...common, status };
    case 'unreachable':
      return { kind, summary, ...common, host, ...connectionFacts(reply) };
    case 'strange-answer':
    case 'rate-limited':
    case 'not-found':
      return { kind, summary, ...common };
  }
}

/**
 * Without the looks at `/v2/` that did not keep the runtime from asking the same host for more: 401
 * is as good as 200 there, and HTTPS may have been tried before HTTP. What it was then told counts.
 */
function withoutPassedPings(trail: readonly Step[]): readonly Step[] {
  return trail.filter(({ request: { isPing, endpoint } }, at) => {
    const isPassed = ({ request }: Step) =>
      !request.isPing && request.endpoint.host === endpoint.host;
    return !isPing || !trail.slice(at + 1).some(isPassed);
  });
}

/** What is known of a connection that did not come about. */
function connectionFacts(reply: Refusal) {
  if (reply.kind !== 'unanswered') return {};
  const { advice, certificate } = reply;
  return { ...(advice && { do: [advice] }), ...(certificate && { certificate }) };
}

/** After a redirect it is another host that speaks. */
function hostOf(host: string, reply: Refusal): string {
  const to = reply.kind === 'answered' ? reply.redirectedTo : undefined;
  return to === undefined ? host : `${to} (where ${host} sends the node)`;
}

function kindOf(reply: Refusal): RefusalKind {
  if (reply.kind === 'unanswered') return 'unreachable';
  const { status, redirectedTo } = reply;
  const isRefused = status === 401 || status === 403;
  // A signed URL needs no login: the registry signs wrongly, or the clocks differ.
  if (isRefused) return redirectedTo === undefined ? 'denied' : 'registry-failed';
  if (status === 404) return reply.isWebPage ? 'strange-answer' : 'not-found';
  if (status === 408 || status === 429) return 'rate-limited';
  return status >= 500 ? 'registry-failed' : 'strange-answer';
}

function summaryOf(kind: RefusalKind, host: string, reply: Refusal): string {
  if (reply.kind === 'unanswered') return `${host} cannot be reached: ${reply.reason}`;
  const { status, user, isWebPage, detail } = reply;
  const more = detail === undefined ? '' : `: ${detail}`;
  switch (kind) {
    case 'denied':
      return user === undefined
        ? `${host} wants a login, and the node has none for it${more}`
        : `${host} does not let ${user} read it (${status})${more}`;
    case 'not-found':
      return `not there: ${host} does not have it`;
    case 'rate-limited':
      return `${host} is asked too often (${status}), until the runtime gives up`;
    case 'registry-failed':
      return `${host} fails with status ${status}`;
    case 'unreachable':
    case 'strange-answer':
      return `${host} answers like no registry does: ${isWebPage ? 'a web page' : `status ${status}`}`;
  }
}

/** The last request to each address, in order. */
function askedIn(trail: readonly Step[]): Asked[] {
  const last = new Map<string, Asked>();
  for (const { reply } of trail) last.set(`${reply.asked.method} ${reply.asked.url}`, reply.asked);
  return [...last.values()].slice(0, shownRequests);
}
