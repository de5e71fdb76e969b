import { KnownSecrets } from '../../../shared/known-secrets.ts';
import type { Run } from '../../../shared/run.ts';
import type { Secret } from '../../../shared/secret.ts';
import { RegistryAddressInvalid, RegistryRedirectRefused, ResponseTooLarge } from '../errors.ts';
import type { ClientSettings, RegistryEndpoint } from '../settings.ts';
import type {
  BufferedResponse,
  Scope,
  Transport,
  TransportRequest,
  TransportResponse,
} from '../transport.ts';
import { Authorizer } from './authorizer.ts';
import type { Failing } from './connect-failure.ts';
import { Connections } from './connections.ts';
import { errorBodyBytes } from './error-document.ts';
import { Gate } from './gate.ts';
import { readBounded, readStart } from './read-bounded.ts';
import { headersForStrangers, isRedirect, nextHop } from './redirect.ts';
import { Repeater } from './repeater.ts';
import { retryAfterMs } from './retry-after.ts';
import { type About, aboutRequest } from './target.ts';
import { exchange } from './wire.ts';

const tokenAnswerBytes = 1024 * 1024;

/** The transport of one registry; the order of its policies, outermost first, is the order of its methods. */
export class PolicyTransport implements Transport {
  /** Base address of the registry, path prefix included, without a slash at its end. */
  readonly base: URL;
  readonly endpoint: RegistryEndpoint;
  readonly settings: ClientSettings;
  /** Logins and tokens in use: all text of the other side passes their `redact` before it is kept. */
  readonly secrets = new KnownSecrets();
  readonly #connections: Connections;
  readonly #authorizer: Authorizer;
  readonly #gate: Gate;
  readonly #repeater: Repeater;

  constructor(endpoint: RegistryEndpoint, settings: ClientSettings) {
    this.endpoint = endpoint;
    this.settings = settings;
    this.base = baseOf(endpoint);
    this.#connections = new Connections(endpoint, this.base, settings);
    this.#gate = new Gate(settings);
    this.#repeater = new Repeater(settings);
    const isTls = this.base.protocol === 'https:';
    const { userAgent, clock } = settings;
    const world = { userAgent, clock, isTls, secrets: this.secrets };
    this.#authorizer = new Authorizer(endpoint, world, (request, run) =>
      this.read(request, tokenAnswerBytes, run),
    );
  }

  request(request: TransportRequest, run: Run): Promise<TransportResponse> {
    return this.#repeater.run(request, run, () => this.#follow(request, run));
  }

  read(request: TransportRequest, maxBytes: number, run: Run): Promise<BufferedResponse> {
    const about = aboutRequest(this.endpoint, request);
    const tooLarge = (gotBytes: number) =>
      new ResponseTooLarge({ ...about, limitBytes: maxBytes, gotBytes });
    return this.#repeater.run(request, run, async () => {
      const response = await this.#follow(request, run);
      const { status, headers, url } = response;
      const bytes =
        status >= 400
          ? await readStart(response, errorBodyBytes)
          : await readBounded(response, maxBytes, tooLarge);
      return { status, headers, url, bytes };
    });
  }

  /** `nginx/tags/list` → `https://registry.example/prefix/v2/nginx/tags/list` */
  url(path: string): URL {
    return new URL(`${this.base.origin}${this.base.pathname.replace(/\/$/, '')}/v2/${path}`);
  }

  /**
   * An address that the registry gave, absolute or relative to `from`. A registry behind a TLS proxy often
   * names itself with http: that is put right, so that nothing travels in clear.
   */
  resolve(address: string, from: URL): URL | undefined {
    const url = URL.parse(address, from.href);
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
    const isDowngrade = this.base.protocol === 'https:' && url.protocol === 'http:';
    if (isDowngrade && url.hostname === this.base.hostname) {
      url.protocol = 'https:';
      url.port = this.base.port;
    }
    return url;
  }

  /** Who the registry knows us as for these scopes, for messages. */
  user(scopes: readonly Scope[], about: About, run: Run): Promise<string | undefined> {
    return this.#authorizer.user({ scopes, about, run });
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  async #follow(request: TransportRequest, run: Run): Promise<TransportResponse> {
    let url = request.url;
    for (let hops = 0; ; hops += 1) {
      const response = await this.#authenticate(request, url, run);
      if (!isRedirect(response.status) || request.followRedirects === false) return response;
      await response.discard();
      url = this.#hop(request, response, hops);
    }
  }

  #hop(request: TransportRequest, response: TransportResponse, hops: number): URL {
    const { url: from, status, headers } = response;
    const location = headers['location'];
    const hop = nextHop(request, { from, status, location }, this.endpoint);
    const tooMany = hops >= this.settings.limits.redirects;
    if (!('refused' in hop) && !tooMany) return hop.to;
    const to = 'refused' in hop ? hop.to : hop.to.href;
    throw new RegistryRedirectRefused({
      ...aboutRequest(this.endpoint, request),
      from: withoutQuery(this.secrets.redact(from.href)),
      to: withoutQuery(this.secrets.redact(to)),
      reason: 'refused' in hop ? hop.refused : `it is the ${hops + 1}th in a row`,
    });
  }

  async #authenticate(request: TransportRequest, url: URL, run: Run): Promise<TransportResponse> {
    if (url.origin !== this.base.origin || request.authenticate === false) {
      return this.#send(request, url, undefined, run);
    }
    const need = {
      scopes: request.scopes ?? [],
      about: aboutRequest(this.endpoint, request),
      run,
    };
    const sent = await this.#authorizer.prepare(need);
    const response = await this.#send(request, url, sent, run);
    if (response.status !== 401) return response;
    const better = await this.#authorizer.answer(response.headers['www-authenticate'], sent, need);
    if (better === undefined || !isReplayable(request)) return response;
    await response.discard();
    return this.#send(request, url, better, run);
  }

  async #send(
    request: TransportRequest,
    url: URL,
    authorization: Secret | undefined,
    run: Run,
  ): Promise<TransportResponse> {
    this.settings.beforeSend?.(url);
    const headers = this.#headers(request, url, authorization);
    const failing: Failing = {
      ...aboutRequest(this.endpoint, request),
      host: url.host,
      proxy: this.#connections.proxyOf(url)?.host,
      secrets: this.secrets,
      timeouts: this.settings.timeouts,
      clock: this.settings.clock,
    };
    const { method, body } = request;
    const send = () =>
      exchange(this.#connections.for(url), { method, url, headers, body }, failing, run.signal);
    return url.origin === this.base.origin ? this.#paced(send, run) : send();
  }

  /** The pace is the registry's own; token servers and storage hosts have other limits. */
  async #paced(send: () => Promise<TransportResponse>, run: Run): Promise<TransportResponse> {
    const permit = await this.#gate.enter(run.signal);
    try {
      const response = await send();
      const wait = retryAfterMs(response.headers['retry-after'], this.settings.clock);
      // Who asks for more than we are ready to wait is not obeyed by the others either.
      const isBearable = wait !== undefined && wait <= this.settings.timeouts.retryAfterMs;
      if (response.status === 429) permit.done({ throttledForMs: isBearable ? wait : undefined });
      else permit.done('fine');
      return response;
    } catch (error) {
      permit.done('failed');
      throw error;
    }
  }

  #headers(
    request: TransportRequest,
    url: URL,
    authorization: Secret | undefined,
  ): Record<string, string> {
    const own = request.headers ?? {};
    const headers = url.origin === request.url.origin ? { ...own } : headersForStrangers(own);
    headers['user-agent'] ??= this.settings.userAgent;
    if (authorization !== undefined) headers['authorization'] = authorization.reveal();
    return headers;
  }
}

function baseOf(endpoint: RegistryEndpoint): URL {
  const url = URL.parse(endpoint.url);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const { name: registry, url: address } = endpoint;
    throw new RegistryAddressInvalid({ registry, what: 'registry', address });
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function isReplayable({ body }: TransportRequest): boolean {
  return body === undefined || body instanceof Uint8Array;
}

/** Redirect targets carry signatures in their query. */
function withoutQuery(address: string): string {
  return address.replace(/\?.*$/s, '?…');
}
