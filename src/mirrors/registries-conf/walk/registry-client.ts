/** Asking one place: the look at /v2/ that decides between HTTPS and HTTP, and the repeats after 429. */

import { STATUS_CODES } from 'node:http';
import type { PullEndpoint } from '../../pull-chain.ts';
import type { Answer, PullRequest } from '../../pull-walk.ts';
import type { RequestMethod } from '../../request-url.ts';

/** What a request came to after its repeats. */
export type AskResult =
  | { readonly kind: 'answered'; readonly status: number; readonly by: PullRequest }
  | { readonly kind: 'failed'; readonly error: string };

/** Yields requests until it knows what came of one. */
export type Asked = Generator<PullRequest, AskResult, Answer>;

/** 4 MiB; a larger manifest is an error, and the next place is asked (internal/iolimits). */
export const largestManifestBytes = 4 * 1024 * 1024;

const ATTEMPTS = 5;

/** One place's client, as long as the pull lasts: the scheme of each place is found out once. */
export class RegistryClient {
  readonly #schemes = new Map<PullEndpoint, string>();

  /** GET of a manifest or blob; every status but 200 is an error. */
  *get(endpoint: PullEndpoint, path: readonly [kind: string, name: string]): Asked {
    const asked = yield* this.ask(endpoint, 'GET', path);
    if (asked.kind === 'failed' || asked.status === 200) return asked;
    return { kind: 'failed', error: this.statusError(asked) };
  }

  /** Nobody looks again at a place that has served: one that is verified has done so over HTTPS. */
  hasServed(endpoint: PullEndpoint): void {
    if (!endpoint.httpsFirst) this.#schemes.set(endpoint, 'https');
  }

  /** A request below the repository, behind the look at /v2/ where there was none yet. */
  *ask(endpoint: PullEndpoint, method: RequestMethod, path: readonly [string, string]): Asked {
    const scheme = this.#schemes.get(endpoint) ?? (yield* this.#detectScheme(endpoint));
    if (typeof scheme !== 'string') return scheme;
    this.#schemes.set(endpoint, scheme);
    const url = `${scheme}://${endpoint.host}/v2/${endpoint.repository}/${path.join('/')}`;
    return yield* this.send({ method, url, endpoint });
  }

  /** 429 is waited for and asked again, five times in all. */
  *send(request: PullRequest): Asked {
    for (let attempt = 1; ; attempt += 1) {
      const answer = yield request;
      if (answer.kind !== 'status') return failed(request, answer);
      if (answer.status === 429 && attempt < ATTEMPTS) continue;
      if ((answer.sizeBytes ?? 0) > largestManifestBytes) {
        const error = `exceeded maximum allowed size of ${largestManifestBytes} bytes`;
        return { kind: 'failed', error };
      }
      return { kind: 'answered', status: answer.status, by: request };
    }
  }

  statusError({ status, by }: Extract<AskResult, { kind: 'answered' }>): string {
    const text = STATUS_CODES[status] ?? '';
    return `${by.method} ${by.url}: received unexpected HTTP status: ${status} ${text}`.trimEnd();
  }

  /** HTTPS; where certificates are not checked anyway, HTTP after any failure of it. */
  *#detectScheme(
    endpoint: PullEndpoint,
  ): Generator<PullRequest, string | (AskResult & { kind: 'failed' }), Answer> {
    const schemes = endpoint.httpsFirst ? ['https', 'http'] : ['https'];
    let error = '';
    for (const scheme of schemes) {
      const url = `${scheme}://${endpoint.host}/v2/`;
      const ping = yield* this.send({ method: 'GET', url, endpoint, isPing: true });
      if (ping.kind === 'answered' && (ping.status === 200 || ping.status === 401)) return scheme;
      error = ping.kind === 'failed' ? ping.error : this.statusError(ping);
    }
    return { kind: 'failed', error: `pinging container registry ${endpoint.host}: ${error}` };
  }
}

function failed(
  { method, url }: PullRequest,
  answer: Exclude<Answer, { kind: 'status' }>,
): AskResult & { kind: 'failed' } {
  const reason =
    answer.kind === 'plain-http'
      ? 'http: server gave HTTP response to HTTPS client'
      : answer.reason;
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  return { kind: 'failed', error: `${verb} ${JSON.stringify(url)}: ${reason}` };
}
