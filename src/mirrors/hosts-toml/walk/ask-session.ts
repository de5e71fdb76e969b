/** Asking one endpoint: the repeats and changes of method that its answers cause. */

import { STATUS_CODES } from 'node:http';
import type { Capability, PullEndpoint } from '../../pull-chain.ts';
import type { Answer, PullRequest } from '../../pull-walk.ts';
import { type RequestMethod, type RequestPath, urlOf } from '../../request-url.ts';
import type { AskedChain } from './asked-chain.ts';

/** What one endpoint gave after all repeats. */
export type Result =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly sizeBytes: number | undefined;
      readonly isRepeatable: boolean;
      readonly request: PullRequest;
      /**
       * What containerd calls it in its texts (request.String): joined of its parts without escapes,
       * with https where HTTP came after it.
       */
      readonly asked: string;
    }
  | {
      readonly kind: 'error';
      readonly text: string;
      readonly why: 'transport' | 'login' | 'passing';
    };

/** True when the endpoint has all of these capabilities. */
export function grants(endpoint: PullEndpoint, needed: readonly Capability[]): boolean {
  return needed.every((capability) => endpoint.capabilities.includes(capability));
}

/** `isLast`: no other endpoint comes after this one. */
interface AskOptions {
  readonly isLast: boolean;
  readonly carriesNs: boolean;
}

/** One operation on a chain; remembers which https-first endpoints turned out to speak plain HTTP. */
export class AskSession {
  readonly #chain: AskedChain;
  readonly #plainHttp = new Set<string>();

  constructor(chain: AskedChain) {
    this.#chain = chain;
  }

  /** HEAD; some versions follow a 403 with a GET, only to show its text. */
  *head(
    endpoint: PullEndpoint,
    path: RequestPath,
    options: AskOptions,
  ): Generator<PullRequest, Result, Answer> {
    const result = yield* this.ask(endpoint, 'HEAD', path, options);
    const isForbidden =
      result.kind === 'response' && result.status === 403 && result.request.method === 'HEAD';
    if (isForbidden && this.#chain.answers.getAfterForbidden) {
      // It carries ns also where a push of 2.0 does not.
      yield* this.ask(endpoint, 'GET', path, { isLast: false, carriesNs: true });
    }
    return result;
  }

  /** One request with the repeats that its answers ask for. */
  *ask(
    endpoint: PullEndpoint,
    first: RequestMethod,
    path: RequestPath,
    options: AskOptions,
  ): Generator<PullRequest, Result, Answer> {
    let method = first;
    let before: number | undefined;
    for (let sent = 1; ; sent += 1) {
      const result = yield* this.#send(endpoint, method, path, options);
      if (sent >= this.#chain.answers.attempts) return result;
      const isUnknownMethod = result.kind === 'response' && result.status === 405;
      if (isUnknownMethod && method === 'HEAD' && path.kind === 'manifests') method = 'GET';
      else if (!this.#isRepeated(result, before, options.isLast)) return result;
      if (result.kind === 'response') before = result.status;
    }
  }

  #isRepeated(result: Result, before: number | undefined, isLast: boolean): boolean {
    if (result.kind === 'error') {
      return result.why === 'passing' && isLast && this.#chain.answers.repeatsBrokenOnLast;
    }
    const { status, isRepeatable } = result;
    if (status === 408 || status === 429 || isRepeatable) return true;
    const isServerError = status === 500 || status === 503 || status === 504;
    return (
      isServerError && this.#chain.answers.repeatsServerErrorOnLast && isLast && status !== before
    );
  }

  *#send(
    endpoint: PullEndpoint,
    method: RequestMethod,
    path: RequestPath,
    { carriesNs }: AskOptions,
  ): Generator<PullRequest, Result, Answer> {
    const ns = carriesNs ? endpoint.ns : undefined;
    // Go compares with the last host that fell back, which starts as an empty one.
    const isPlain =
      endpoint.httpsFirst && (endpoint.host === '' || this.#plainHttp.has(endpoint.host));
    const target = urlOf(endpoint, path, { ns, scheme: isPlain ? 'http' : endpoint.scheme });
    if (!target.ok) return { kind: 'error', text: target.reason, why: 'transport' };
    const request: PullRequest = { method, url: target.url, endpoint };
    const answer = yield request;
    if (endpoint.httpsFirst && !isPlain && this.#turnsToHttp(answer, endpoint)) {
      this.#plainHttp.add(endpoint.host);
      return yield* this.#send(endpoint, method, path, { carriesNs, isLast: false });
    }
    const result = resultOf(answer, request, target.joined);
    return isPlain ? namedAsFirst(result) : result;
  }

  #turnsToHttp(answer: Answer, endpoint: PullEndpoint): boolean {
    if (answer.kind === 'plain-http') return true;
    if (answer.kind !== 'no-connection') return false;
    return this.#chain.answers.httpAfterConnectionError && !/:\d+$/.test(endpoint.host);
  }
}

/** Whoever asks does not learn that HTTP came in the place of HTTPS. */
function namedAsFirst(result: Result): Result {
  return result.kind === 'error'
    ? { ...result, text: result.text.replace('"http://', '"https://') }
    : { ...result, asked: result.asked.replace(/^http:/, 'https:') };
}

/** An answer to a request as its result, or the runtime's text when nothing came. */
export function resultOf(answer: Answer, request: PullRequest, asked = request.url): Result {
  if (answer.kind === 'status') {
    const { status, sizeBytes, challenge } = answer;
    if (challenge === 'unmet') return { kind: 'error', text: noLogin, why: 'login' };
    const isRepeatable = challenge === 'repeatable';
    return { kind: 'response', status, sizeBytes, isRepeatable, request, asked };
  }
  const mayPass = answer.kind !== 'plain-http' && answer.mayPass === true;
  const reason =
    answer.kind === 'plain-http'
      ? 'http: server gave HTTP response to HTTPS client'
      : answer.reason;
  const method = request.method.charAt(0) + request.method.slice(1).toLowerCase();
  return {
    kind: 'error',
    text: `failed to do request: ${method} ${JSON.stringify(request.url)}: ${reason}`,
    why: mayPass ? 'passing' : 'transport',
  };
}

/** A {@link Result} that is an answer. */
export type Answered = Extract<Result, { kind: 'response' }>;

/** Source: AddResponses in containerd core/remotes/docker/authorizer.go. */
const noLogin = 'authorization failed: no basic auth credentials';

/** `404` → `404 Not Found`. */
export function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

/** The runtime's text for a status that it did not expect. */
export function unexpected({ status, request }: Answered): string {
  return `unexpected status from ${request.method} request to ${request.url}: ${statusText(status)}`;
}
