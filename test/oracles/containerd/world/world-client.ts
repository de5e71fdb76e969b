/** Sends the simulator's requests into a world: redirects and logins as Go's client and containerd do them. */

import { X509Certificate } from 'node:crypto';
import type { PullEndpoint } from '../../../../src/mirrors/pull-chain.ts';
import type { Answer, OpenChain, PullRequest } from '../../../../src/mirrors/pull-walk.ts';
import { basicLogin } from '../../../../src/registry/client/token-requester.ts';
import type { SentRequest } from '../answers.ts';
import { siteAuthority } from './names.ts';
import type { Reply, WorldServer } from './world.ts';

const usualDialTimeoutMs = 30_000;

/** Go follows so many redirects. */
const mostRedirects = 10;

/** One client of one resolver: remembers where it has logged in. */
export class WorldClient {
  readonly #server: WorldServer;
  readonly #authorities: ReadonlyMap<PullEndpoint, readonly string[]>;
  /** Since 2.1 also an endpoint with a header or a dial timeout has an authorizer of its own. */
  readonly #ownByHeaders: boolean;
  readonly #loggedIn = new Map<string, string>();
  #sent: SentRequest[] = [];

  constructor(server: WorldServer, { wire, ...chain }: OpenChain) {
    this.#server = server;
    this.#authorities = authorityNames(chain);
    this.#ownByHeaders = wire.tokenServerGetsHeaders;
  }

  /** The requests since the last call. */
  take(): readonly SentRequest[] {
    const taken = this.#sent;
    this.#sent = [];
    return taken;
  }

  send({ method, url, endpoint }: PullRequest): Answer {
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      const answer = this.#ask({ method, url: target, endpoint, isRedirected: redirects > 0 });
      if ('kind' in answer) return answer;
      const { status, location, asksForLogin, content } = answer;
      if (asksForLogin === true) return this.#challenged(endpoint);
      if (location === undefined) {
        return { kind: 'status', status, sizeBytes: content && sizeOf(content.base64) };
      }
      if (redirects === mostRedirects) {
        return { kind: 'broken', reason: `stopped after ${mostRedirects} redirects` };
      }
      target = location;
    }
  }

  #ask(asked: Asked): Answer | Reply {
    const { method, url, endpoint } = asked;
    const [, scheme = '', host = '', path = ''] = /^([\w.+-]+):\/\/([^/?]*)([^?]*)/.exec(url) ?? [];
    const authorization = this.#authorizationFor(host, asked);
    const broken = this.#connect({ scheme, host }, endpoint);
    const reply = broken ?? this.#server.reply({ method, host, path, authorization });
    const answer = 'status' in reply ? `${reply.status}` : this.#failureOf(reply, host);
    this.#sent.push(this.#describe(asked, { authorization, answer }));
    return reply;
  }

  /** Go takes a header of the host table off when a redirect leads to another host. */
  #authorizationFor(host: string, { endpoint, isRedirected }: Asked): string | undefined {
    const own = isRedirected ? [] : headerOf(endpoint, 'authorization');
    const login = this.#loggedIn.get(this.#loginKey(endpoint, host));
    return login ?? (own.length > 0 ? own.join(', ') : undefined);
  }

  /** An endpoint with settings of its own also has a memory of its own for logins. */
  #loginKey(endpoint: PullEndpoint, host: string): string {
    const { trust, httpsFirst, headers, dialTimeoutMs } = endpoint;
    const hasTls = trust.ca.length > 0 || trust.clients.length > 0 || trust.skipVerify;
    const hasMore = headers.size > 0 || dialTimeoutMs !== usualDialTimeoutMs;
    const isOwn = hasTls || httpsFirst || (hasMore && this.#ownByHeaders);
    return `${isOwn ? endpoint.base : ''} ${host}`;
  }

  #failureOf({ kind }: Answer, host: string): string {
    const nature = this.#server.natureOf(host);
    return kind === 'broken' && nature !== 'cut' ? 'certificate' : nature;
  }

  #describe(
    { method, url, endpoint }: Asked,
    seen: { readonly authorization: string | undefined; readonly answer: string },
  ): SentRequest {
    const { trust } = endpoint;
    const { authorization, answer } = seen;
    const marks = headerOf(endpoint, 'x-mark');
    const authorities = this.#authorities.get(endpoint) ?? [];
    const isTls = url.startsWith('https:');
    return {
      method,
      url,
      ...(authorization !== undefined && authorization !== '' && { authorization }),
      ...(marks.length > 0 && { marks }),
      ...(isTls && trust.skipVerify && { skipVerify: true as const }),
      ...(isTls && authorities.length > 0 && { authorities }),
      ...(isTls && trust.clients.length > 0 && { clients: trust.clients.length }),
      answer,
    };
  }

  #connect(
    { scheme, host }: { readonly scheme: string; readonly host: string },
    endpoint: PullEndpoint,
  ): Answer | undefined {
    const nature = this.#server.natureOf(host);
    if (nature === 'refused') {
      return { kind: 'no-connection', reason: 'dial tcp: connection refused' };
    }
    if (nature === 'cut') return { kind: 'broken', reason: 'EOF', mayPass: true };
    if (scheme === 'http') return undefined;
    if (nature === 'plain') return { kind: 'plain-http' };
    const believed = this.#authorities.get(endpoint)?.includes(siteAuthority) === true;
    const isBad = nature === 'foreign' || (nature === 'site' && !believed);
    return isBad && !endpoint.trust.skipVerify
      ? { kind: 'broken', reason: unknownAuthority }
      : undefined;
  }

  /** Basic is offered again and again while attempts last; without a login the answer is an error. */
  #challenged(endpoint: PullEndpoint): Answer {
    const { host, login } = endpoint;
    if (login === undefined) return { kind: 'status', status: 401, challenge: 'unmet' };
    this.#loggedIn.set(this.#loginKey(endpoint, host), basicLogin(login.username, login.secret));
    return { kind: 'status', status: 401, challenge: 'repeatable' };
  }
}

interface Asked extends Pick<PullRequest, 'method' | 'url' | 'endpoint'> {
  readonly isRedirected: boolean;
}

const unknownAuthority =
  'tls: failed to verify certificate: x509: certificate signed by unknown authority';

function headerOf({ headers }: PullEndpoint, wanted: string): readonly string[] {
  return [...headers].flatMap(([name, values]) =>
    name.toLowerCase() === wanted ? values.map((value) => value.reveal()) : [],
  );
}

function sizeOf(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}

/** The names of the authorities in a file are not part of a chain; the certificates are. */
function authorityNames({
  endpoints,
}: Pick<OpenChain, 'endpoints'>): ReadonlyMap<PullEndpoint, readonly string[]> {
  return new Map(
    endpoints.map((endpoint) => [
      endpoint,
      [...new Set(endpoint.trust.ca.map(({ pem }) => commonName(pem)))].sort(),
    ]),
  );
}

function commonName(pem: string): string {
  return /CN=(.*)/.exec(new X509Certificate(pem).subject)?.[1] ?? '';
}
