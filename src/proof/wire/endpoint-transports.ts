import { formatOrigin } from '../../mirrors/finding.ts';
import type { EndpointTrust, PullEndpoint, WireRules } from '../../mirrors/pull-chain.ts';
import { digestOf } from '../../oci/digest.ts';
import { proxyFor } from '../../registry/client/proxy-for.ts';
import type { ClientSettings } from '../../registry/client/settings.ts';
import { openTransport, type Transport } from '../../registry/client/transport.ts';
import type { Credential, TlsTrust } from '../../trust/ports.ts';
import { type HostGate, withPort } from '../allowed-hosts.ts';
import { ProofHostForbidden } from '../errors.ts';
import { isSameCredential, type NodeLogin, userOf } from '../node/node-login.ts';
import { NodeTls } from '../node/node-tls.ts';
import { forbiddenProxy, proxyOfService, proxySettingsOf } from '../node/proxy-of-service.ts';
import type { RuntimeService } from '../node/runtime-service.ts';
import type { ProofNotes } from '../proof-notes.ts';
import { type EndpointHeaders, headersOf, isSameHeaders } from './endpoint-headers.ts';
import { tokenRequesterFor } from './token-requesters.ts';

/** What all transports of a proof have in common. */
export interface TransportPlan {
  readonly client: ClientSettings;
  readonly service: RuntimeService;
  /** What the runtime does on the wire. */
  readonly wire: Pick<WireRules, 'tokenServerGetsHeaders' | 'tokensBy'>;
  readonly gate: HostGate;
  /** `10.0.0.5:5443` → `127.0.0.1:11443`, keys with their ports. */
  readonly places: ReadonlyMap<string, string>;
  readonly notes: ProofNotes;
}

/** Go's HTTP client gives up at the tenth. */
const redirects = 9;

/**
 * One transport for each address, trust and login, as the node would connect: nothing is repeated
 * (the runtime's own rules say what is), and nothing is sent to a host that the gate does not allow.
 * `close` at the end, also after failures.
 */
export class EndpointTransports {
  readonly #plan: TransportPlan;
  readonly #tls: NodeTls;
  readonly #opened = new Map<string, Transport>();
  readonly #logins: Credential[] = [];
  readonly #tokenHeaders: EndpointHeaders[] = [];
  #sent = 0;

  constructor(plan: TransportPlan) {
    this.#plan = plan;
    this.#tls = new NodeTls(plan.client.clock, plan.service.authorities);
  }

  /** How many requests went over the wire, with those to token servers and redirect targets. */
  get sent(): number {
    return this.#sent;
  }

  /** The transport for an address of an endpoint; opened when first needed. */
  for(endpoint: PullEndpoint, url: URL, login: NodeLogin | undefined): Transport {
    const parts = [trustKey(endpoint.trust), this.#loginKey(login), this.#headersKey(endpoint)];
    const key = [url.origin, ...parts].join(' ');
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opened = this.#open(endpoint, url, login);
    this.#opened.set(key, opened);
    return opened;
  }

  /** The place where a host is asked, if it is not the one that nodes see. */
  placeOf(url: URL): string | undefined {
    return this.#plan.places.get(withPort(url.protocol.slice(0, -1), url.host));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map((transport) => transport.close()));
  }

  #open(endpoint: PullEndpoint, url: URL, login: NodeLogin | undefined): Transport {
    this.#explain(endpoint, url, login);
    const credential = login?.credential;
    const isTls = url.protocol === 'https:';
    return openTransport(
      {
        name: endpoint.host,
        url: url.origin,
        // Also where it is asked in plain HTTP: a redirect to HTTPS keeps the trust of the endpoint.
        trust: tlsTrust(endpoint.trust, this.#neededByOpenSsl()),
        tlsRules: this.#tls.rulesFor(endpoint.trust),
        side: 'source',
        // The node would follow them too.
        allowPlainRedirects: true,
        credentials: { credentialFor: () => Promise.resolve(credential) },
        tokenRequester: tokenRequesterFor(this.#plan.wire),
        tokenHeaders: this.#forTokenServer(endpoint),
      },
      this.#settings(endpoint, isTls),
    );
  }

  #forTokenServer(endpoint: PullEndpoint): EndpointHeaders {
    return this.#plan.wire.tokenServerGetsHeaders ? headersOf(endpoint) : new Map();
  }

  /** Behind a proxy OpenSSL has to agree with Go's rules, so it needs what they know. */
  #neededByOpenSsl(): readonly string[] {
    const { environment, authorities } = this.#plan.service;
    return proxySettingsOf(environment) === undefined ? [] : authorities.pems;
  }

  #settings({ dialTimeoutMs, host }: PullEndpoint, isTls: boolean): ClientSettings {
    const { client, gate, places, service, notes } = this.#plan;
    // The requests are the node's, and so are their proxies.
    const { proxy: _proxyOfThisMachine, ...others } = client;
    const { timeouts, limits, retry } = client;
    const nodeProxies = proxySettingsOf(service.environment);
    return {
      ...others,
      ...(nodeProxies && { proxy: nodeProxies }),
      retry: { ...retry, attempts: 1 },
      limits: { ...limits, redirects },
      timeouts: { ...timeouts, connectMs: Math.min(timeouts.connectMs, dialTimeoutMs) },
      connectTo: places,
      beforeSend: (url) => {
        const proxy = forbiddenProxy(service.environment, url, gate);
        if (proxy !== undefined)
          throw new ProofHostForbidden({ host: proxy.host, proxyOf: url.host });
        if (!gate.allows(url.protocol.slice(0, -1), url.host)) {
          throw new ProofHostForbidden({ host: url.host });
        }
        if (isTls && url.protocol === 'http:') {
          notes.warn(
            `${host} is asked over TLS and leads to ${url.host} in plain HTTP, where logins can be read on the way`,
          );
        }
        this.#sent += 1;
        client.beforeSend?.(url);
      },
    };
  }

  #explain(endpoint: PullEndpoint, url: URL, login: NodeLogin | undefined): void {
    const { client, notes, service } = this.#plan;
    const { trust, host, origin } = endpoint;
    const place = this.placeOf(url);
    if (place !== undefined) {
      notes.warn(`${host} was asked at ${place}, where this machine sees it`);
    }
    const unused = proxyFor(url, client.proxy);
    if (unused !== undefined) {
      notes.warn(
        `the proxy in the environment of this machine was not used for ${host}: the requests of a proof are the node's`,
      );
    }
    const proxy = proxyOfService(service.environment, url);
    if (proxy !== undefined) {
      notes.warn(
        `the node's runtime reaches ${host} through the proxy ${proxy.host} (${proxy.name} in ${proxy.file}), and so did this proof`,
      );
    }
    if (url.protocol === 'http:') notes.warn(`${host} is asked in plain HTTP, without TLS`);
    else if (trust.skipVerify) {
      notes.warn(
        `the certificate of ${host} is not checked (${formatOrigin(origin)}); anybody on the way can change images`,
      );
    }
    if (trust.clients.length > 1) {
      notes.warn(`${host} has several client certificates; only the first was tried`);
    }
    if (login !== undefined) notes.login({ host, user: userOf(login), from: login.from });
  }

  /** Logins are few; comparing keeps their secrets inside {@link Secret}. */
  #loginKey(login: NodeLogin | undefined): string {
    if (login === undefined) return 'anonymous';
    const { credential } = login;
    const index = this.#logins.findIndex((known) => isSameCredential(known, credential));
    return `login ${index === -1 ? this.#logins.push(credential) - 1 : index}`;
  }

  /** A token belongs to the headers with which it was asked for. */
  #headersKey(endpoint: PullEndpoint): string {
    const headers = this.#forTokenServer(endpoint);
    const index = this.#tokenHeaders.findIndex((known) => isSameHeaders(known, headers));
    return `headers ${index === -1 ? this.#tokenHeaders.push(headers) - 1 : index}`;
  }
}

function tlsTrust({ ca, clients, skipVerify }: EndpointTrust, more: readonly string[]): TlsTrust {
  const pems = [...ca.map(({ pem }) => pem), ...more];
  const [client] = clients;
  return {
    skipVerify,
    ...(pems.length === 0 ? {} : { ca: pems.join('\n') }),
    ...(client === undefined
      ? {}
      : { clientCertificate: client.certificate.pem, clientKey: client.key }),
  };
}

function trustKey({ ca, clients, skipVerify }: EndpointTrust): string {
  const files = [...ca, ...clients.map(({ certificate }) => certificate)];
  return `${skipVerify} ${digestOf(files.map(({ pem }) => pem).join('\n'))}`;
}
