/** Connections of one registry: keep-alive pools, TLS trust, client certificate, proxy. */
import {
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import { RegistryAddressInvalid, RegistryClientClosed, RegistryTrustUnusable } from '../errors.ts';
import { proxyFor } from '../proxy-for.ts';
import type { ClientSettings, RegistryEndpoint } from '../settings.ts';
import { checkedConnector, identityCheck } from './checked-connector.ts';
import { connectorTo } from './connect-to.ts';

/** TLS as undici's connector and Node's tls.connect take it. */
interface Tls {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
  readonly allowH2: false;
  readonly checkServerIdentity?: ReturnType<typeof identityCheck>;
}

/**
 * Hands out the pool for a URL. The registry's own host sees our client certificate and, if the user
 * said so, is not verified; token servers and storage hosts that it names get neither.
 */
export class Connections {
  readonly #endpoint: RegistryEndpoint;
  readonly #settings: ClientSettings;
  readonly #own: URL;
  readonly #pools = new Map<string, Dispatcher>();
  readonly #contexts = new Map<boolean, SecureContext>();
  #isClosed = false;

  constructor(endpoint: RegistryEndpoint, own: URL, settings: ClientSettings) {
    this.#endpoint = endpoint;
    this.#own = own;
    this.#settings = settings;
  }

  /** REGISTRY_CLIENT_CLOSED after `close`. */
  for(url: URL): Dispatcher {
    if (this.#isClosed) throw new RegistryClientClosed({ registry: this.#endpoint.name });
    // A program with rules of its own has one set of TLS settings for whoever it is sent to.
    const { tlsRules } = this.#endpoint;
    const isOwn = tlsRules !== undefined || url.hostname === this.#own.hostname;
    const proxy = this.proxyOf(url);
    const key = `${isOwn ? 'own' : 'other'} ${url.protocol} ${proxy?.href ?? ''}`;
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = this.#open(url.protocol === 'https:', isOwn, proxy);
    this.#pools.set(key, pool);
    return pool;
  }

  /** The proxy on the way to `url`. REGISTRY_ADDRESS_INVALID for one that is no HTTP proxy. */
  proxyOf(url: URL): URL | undefined {
    const address = proxyFor(url, this.#settings.proxy);
    return address === undefined ? undefined : proxyUrl(address, this.#endpoint.name);
  }

  /** Ends all connections, also those with requests under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #open(isTls: boolean, isOwn: boolean, proxy: URL | undefined): Dispatcher {
    const { connectMs } = this.#settings.timeouts;
    const tls = isTls ? this.#tls(isOwn) : undefined;
    const options: Agent.Options = {
      allowH2: false,
      connections: null,
      pipelining: 1,
      // Below the idle time after which common load balancers drop a connection without a word.
      keepAliveTimeout: 15_000,
      keepAliveMaxTimeout: 60_000,
    };
    const connect = { timeout: connectMs, allowH2: false, ...tls };
    if (proxy === undefined) return new Agent({ ...options, connect: this.#connector(connect) });
    return new ProxyAgent({
      ...options,
      uri: proxy.href,
      connectTimeout: connectMs,
      requestTls: connect,
      proxyTls: { timeout: connectMs, allowH2: false, secureContext: this.#context(false) },
    });
  }

  #connector(connect: buildConnector.BuildOptions) {
    const { connectTo } = this.#settings;
    const { tlsRules } = this.#endpoint;
    const unverified = { ...connect, rejectUnauthorized: false, maxCachedSessions: 0 };
    const own = tlsRules === undefined ? connect : unverified;
    const connector = connectTo === undefined ? buildConnector(own) : connectorTo(connectTo, own);
    return tlsRules === undefined ? connector : checkedConnector(tlsRules, connector);
  }

  #tls(isOwn: boolean): Tls {
    const { trust, tlsRules } = this.#endpoint;
    const skipVerify = isOwn && trust.skipVerify === true;
    return {
      secureContext: this.#context(isOwn),
      rejectUnauthorized: !skipVerify,
      allowH2: false,
      ...(tlsRules && { checkServerIdentity: identityCheck(tlsRules) }),
    };
  }

  /** Made once and shared by all connections: reading some hundred authorities takes 40 ms. */
  #context(withClientCertificate: boolean): SecureContext {
    const known = this.#contexts.get(withClientCertificate);
    if (known !== undefined) return known;
    const context = this.#makeContext(withClientCertificate);
    this.#contexts.set(withClientCertificate, context);
    return context;
  }

  #makeContext(withClientCertificate: boolean): SecureContext {
    const { trust, tlsRules } = this.#endpoint;
    const { ca, clientCertificate, clientKey } = trust;
    // Node forgets its own authorities when it is given any.
    const authorities = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
    if (ca !== undefined) authorities.add(ca);
    const options: SecureContextOptions = {
      ca: [...authorities],
      ...(tlsRules && { ciphers: tlsRules.ciphers }),
    };
    if (withClientCertificate && clientCertificate !== undefined) options.cert = clientCertificate;
    if (withClientCertificate && clientKey !== undefined) options.key = clientKey.reveal();
    try {
      return createSecureContext(options);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RegistryTrustUnusable({ registry: this.#endpoint.name, reason }, { cause: error });
    }
  }
}

/** `proxy:3128` → `http://proxy:3128`, as curl and Go read it. */
function proxyUrl(address: string, registry: string): URL {
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // Without its user and password, which the text of a broken address may hold.
    const shown = address.replace(/^.*@/, '');
    throw new RegistryAddressInvalid({ registry, what: 'proxy', address: shown });
  }
  return url;
}
