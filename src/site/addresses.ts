/** Addresses of a Site's registries: what they consist of, and how they look from each place. */

/** `harbor.plant7.example:8443/platform`, taken apart. */
export interface RegistryAddress {
  /** `host[:port]`, as it stands in image references and URLs; IPv6 in brackets. */
  readonly host: string;
  /** The path before every repository, without slashes around it; empty if there is none. */
  readonly project: string;
}

/**
 * From where a registry is looked at (R0-61, R4-13): the machine that runs Slipway, pods of the
 * bootstrap cluster, the nodes that are installed, and everybody once the installation is over.
 */
export type Place = 'host' | 'bootstrap' | 'nodes' | 'afterwards';

const name = String.raw`(?:\[[0-9a-f:]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)`;
const component = '[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*';
const hostPattern = new RegExp(`^${name}(?::(\\d{1,5}))?$`);
const addressPattern = new RegExp(`^([^/]+)(?:/(${component}(?:/${component})*))?$`);

/** True for `host[:port]` in lower case, with a port from 1 to 65535. */
export function isHost(text: string): boolean {
  const match = hostPattern.exec(text);
  if (match === null) return false;
  const port = match[1];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}

/**
 * Reads `host[:port][/project]`: `harbor.example/platform` →
 * `{ host: 'harbor.example', project: 'platform' }`. Undefined for anything else, such as text with
 * a scheme, upper case, a trailing slash, a tag.
 */
export function parseAddress(text: string): RegistryAddress | undefined {
  const [, host = '', project = ''] = addressPattern.exec(text) ?? [];
  return isHost(host) ? { host, project } : undefined;
}

/** What {@link addressSeenFrom} needs of a registry of a Site. */
export interface SeenRegistry {
  readonly address: string;
  readonly plainHttp?: true | undefined;
  readonly seenFrom?: Readonly<Partial<Record<Place, string | undefined>>> | undefined;
}

/** A registry's address as seen from one place. */
export interface SeenAddress extends RegistryAddress {
  readonly scheme: 'http' | 'https';
}

/**
 * The address of a registry as seen from a place; where the Site names none, its one address.
 *
 * `addressSeenFrom({ address: 'h.example/p', seenFrom: { nodes: '10.0.0.5:1' } }, 'nodes')` →
 * `{ scheme: 'https', host: '10.0.0.5:1', project: 'p' }`. The project is the same from everywhere.
 */
export function addressSeenFrom(registry: SeenRegistry, place: Place): SeenAddress {
  const address = parseAddress(registry.address);
  // The checks of the Site have refused every other text.
  if (address === undefined) throw new TypeError(`not an address: ${registry.address}`);
  const scheme = registry.plainHttp === true ? 'http' : 'https';
  return { scheme, host: registry.seenFrom?.[place] ?? address.host, project: address.project };
}

/** The hosts under which nodes see a registry, during the installation and later, each once. */
export function hostsForNodes(registry: SeenRegistry): readonly string[] {
  const places = ['nodes', 'afterwards'] as const;
  const seen = places.map((place) => addressSeenFrom(registry, place).host);
  return [...new Set([...seen, parseAddress(registry.address)?.host ?? ''])].filter(
    (host) => host !== '',
  );
}
