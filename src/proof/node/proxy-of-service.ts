import { proxyFor } from '../../registry/client/proxy-for.ts';
import type { ProxySettings } from '../../registry/client/settings.ts';
import type { HostGate } from '../allowed-hosts.ts';
import type { ServiceEnvironment } from './service-environment.ts';

/** The proxy of a node's runtime for one address. */
export interface ServiceProxy {
  /** As it is written there; may hold a user and a password. */
  readonly address: string;
  /** `proxy.example:3128`; never its user and password. */
  readonly host: string;
  /** The variable that names it, and the file of the node that sets this. */
  readonly name: string;
  readonly file: string;
}

/**
 * Through which proxy a runtime with this environment reaches a URL: `https://h.example` with
 * `HTTPS_PROXY=http://p:3128` → `p:3128`; undefined when directly. Of a variable in capitals and one
 * in small letters, Go takes the former.
 */
export function proxyOfService(
  environment: ServiceEnvironment,
  url: URL,
): ServiceProxy | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const address = proxyFor(url, proxySettingsOf(environment));
  const set = variable(environment, name);
  if (address === undefined || set === undefined) return undefined;
  return {
    address,
    host: address.replace(/^.*@|^[a-z0-9]+:\/\//i, '').replace(/\/.*$/, ''),
    name: set.name,
    file: set.file,
  };
}

/** The proxies of a service as the client takes them; undefined when it has none. */
export function proxySettingsOf(environment: ServiceEnvironment): ProxySettings | undefined {
  const [http, https, noProxy] = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].map(
    (name) => variable(environment, name)?.value,
  );
  if (http === undefined && https === undefined) return undefined;
  return {
    ...(http !== undefined && { http }),
    ...(https !== undefined && { https }),
    ...(noProxy !== undefined && { noProxy }),
  };
}

/** The proxy on the way to a URL, if the place does not allow it. */
export function forbiddenProxy(
  environment: ServiceEnvironment,
  url: URL,
  gate: HostGate,
): ServiceProxy | undefined {
  const proxy = proxyOfService(environment, url);
  if (proxy === undefined) return undefined;
  const scheme = /^https:/i.test(proxy.address) ? 'https' : 'http';
  return gate.allows(scheme, proxy.host) ? undefined : proxy;
}

/** The variable as it is set, under the name that counts; one without a value says nothing. */
function variable(environment: ServiceEnvironment, wanted: string) {
  for (const name of [wanted, wanted.toLowerCase()]) {
    const found = environment.get(name);
    if (found !== undefined && found.value !== '') return { name, ...found };
  }
  return undefined;
}
