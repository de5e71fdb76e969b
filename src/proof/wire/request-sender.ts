import type { PullEndpoint, WireRules } from '../../mirrors/pull-chain.ts';
import type { ClientSettings } from '../../registry/client/settings.ts';
import type { Transport } from '../../registry/client/transport.ts';
import type { Run } from '../../shared/run.ts';
import { loginAt, type OfferedSecret, userOf } from '../node/node-login.ts';
import type { ProofNotes } from '../proof-notes.ts';
import { EndpointHealth } from './endpoint-health.ts';
import type { EndpointTransports } from './endpoint-transports.ts';
import type { Answered, Ask, Outcome, Reply } from './exchange.ts';
import { explainError } from './explain-error.ts';
import { sendAsk } from './send-ask.ts';
import type { Sending } from './sending.ts';

/** What a sender works with. */
export interface SenderPlan {
  readonly transports: EndpointTransports;
  readonly notes: ProofNotes;
  readonly deep: boolean;
  /** What the runtime does on the wire. */
  readonly wire: WireRules;
  /** Waits until an endpoint may have come back. */
  readonly sleep: ClientSettings['sleep'];
}

/** A registry that is restarted listens again within a second. */
const recoveryMs = 1500;

/**
 * The requests of one repository: its images share manifests and layers, and each identical request
 * is sent once. Forgotten with the repository.
 */
export interface RepositoryRequests {
  readonly secret: OfferedSecret;
  /** Its path: `library/nginx`. */
  readonly path: string;
  readonly replies: Map<string, Promise<Reply>>;
}

/**
 * Sends what a proof asks for; remembers replies and dead endpoints. Memory grows with the requests of
 * the repositories under way and, when `deep`, with the distinct blobs (their names only).
 */
export class RequestSender {
  readonly #plan: SenderPlan;
  readonly #health = new Map<Transport, EndpointHealth>();
  /** `https://h.example sha256:…` of blobs whose bytes were hashed: of others HEAD is enough. */
  readonly #hashed = new Set<string>();

  constructor(plan: SenderPlan) {
    this.#plan = plan;
  }

  /** Rejects only when `run` is aborted. */
  send(ask: Ask, repository: RepositoryRequests, run: Run): Promise<Reply> {
    const { request, attempt, operation } = ask;
    const key = `${attempt} ${request.method} ${operation.kind} ${request.url}`;
    const known = repository.replies.get(key);
    if (known !== undefined) return known;
    const reply = this.#send(ask, repository, run);
    repository.replies.set(key, reply);
    return reply;
  }

  async #send(ask: Ask, { secret, path }: RepositoryRequests, run: Run): Promise<Reply> {
    const { method, endpoint, url: address, isFromDescriptor = false } = ask.request;
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol)) {
      const reason = 'this is no http or https URL';
      const asked = { method, url: address, answer: reason };
      return { kind: 'unanswered', how: 'broken', reason, asked };
    }
    const login = isFromDescriptor ? undefined : loginAt(endpoint, secret);
    const transport = this.#plan.transports.for(endpoint, url, login);
    const deep = this.#plan.deep && !this.#hashed.has(hashedKey(ask, url));
    const { wire } = this.#plan;
    const sending: Sending = { transport, ask, repository: path, deep, wire, method };
    const health = this.#healthOf(transport);
    const { outcome: reply, isAssumed } = await health.ask(
      () => attempt(() => sendAsk(sending, run), run),
      () => this.#plan.sleep(recoveryMs, run.signal),
    );
    if (deep) this.#rememberHashed(ask, url, reply);
    this.#explain(endpoint, reply);
    const place = this.#plan.transports.placeOf(url);
    return {
      ...reply,
      ...(reply.kind === 'answered' && login !== undefined ? { user: userOf(login) } : {}),
      asked: {
        method: sending.method,
        url: address,
        answer: textOf(reply),
        ...(isAssumed ? { sent: false as const } : {}),
        ...(place === undefined ? {} : { at: place }),
      },
    };
  }

  #healthOf(transport: Transport): EndpointHealth {
    const health = this.#health.get(transport) ?? new EndpointHealth();
    this.#health.set(transport, health);
    return health;
  }

  #rememberHashed(ask: Ask, url: URL, reply: Outcome): void {
    const { operation } = ask;
    if (operation.kind !== 'blob' || reply.kind !== 'answered') return;
    if (reply.digest === operation.blob.digest) this.#hashed.add(hashedKey(ask, url));
  }

  #explain(endpoint: PullEndpoint, reply: Outcome): void {
    const { notes } = this.#plan;
    const { host } = endpoint;
    // One with a bad certificate did answer, and the failure says what is wrong with it.
    const isSilent = reply.kind === 'unanswered' && reply.certificate === undefined;
    if (isSilent && reply.how !== 'plain-http') {
      const seconds = Math.round(endpoint.dialTimeoutMs / 1000);
      notes.warn(
        `${host} does not answer (${reply.reason}); until it does, the node may lose up to ${seconds} s on each request`,
      );
    }
    if (reply.kind !== 'answered') return;
    if (reply.redirectedTo !== undefined) {
      notes.warn(`${host} sends clients on to ${reply.redirectedTo}; nodes must reach it too`);
    }
  }
}

function hashedKey({ operation }: Ask, url: URL): string {
  return operation.kind === 'blob' ? `${url.origin} ${operation.blob.digest}` : '';
}

async function attempt(send: () => Promise<Answered>, run: Run): Promise<Outcome> {
  try {
    return await send();
  } catch (error) {
    run.signal.throwIfAborted();
    return explainError(error);
  }
}

function textOf(reply: Outcome): string {
  if (reply.kind === 'unanswered') return reply.reason;
  if (reply.kind === 'stopped') {
    return reply.why === 'too-slow' ? reply.reason : `on to ${reply.host}, which was not asked`;
  }
  const { status, redirectedTo } = reply;
  return redirectedTo === undefined ? `${status}` : `${status} from ${redirectedTo}`;
}
