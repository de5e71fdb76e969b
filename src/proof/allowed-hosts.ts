/** Which hosts the nodes of a place may reach, and under which address this machine sees them. */
import { type Digest, digestOf } from '../oci/digest.ts';
import { parseReference } from '../oci/reference.ts';
import type { LockedImage } from '../release/lock.ts';
import { canonicalJson } from '../shared/json.ts';
import { addressSeenFrom } from '../site/addresses.ts';
import { formatRegistryName, registryNames } from '../site/registry-names.ts';
import type { Site } from '../site/site.ts';

/** What a proof needs to know about a place. */
export interface SiteFacts {
  readonly mode: 'online' | 'offline';
  /** Of the document in canonical form: comments and the order of fields do not matter. */
  readonly digest?: Digest;
  /** `host[:port]` as nodes write it; without a port, 443 and 80 of that host. */
  readonly allowedHosts: readonly string[];
  /** `host[:port]` as nodes see it → as this machine sees it, where the two differ. */
  readonly seenFrom: ReadonlyMap<string, string>;
  /** The names of an image in the registries of the place: `harbor.example/platform/pause:3.9`. */
  readonly publishedNames?: (image: LockedImage) => readonly string[];
}

/** The facts of a Site: its registries as nodes and this machine see them, and `allow`. */
export function siteFacts(site: Site): SiteFacts {
  const registries = Object.values(site.spec.registries).map((registry) => ({
    fromNodes: addressSeenFrom(registry, 'nodes').host,
    fromHere: addressSeenFrom(registry, 'host').host,
  }));
  const elsewhere = registries.filter(({ fromNodes, fromHere }) => fromNodes !== fromHere);
  return {
    mode: site.spec.mode,
    digest: digestOf(canonicalJson(site)),
    allowedHosts: [
      ...registries.map(({ fromNodes }) => fromNodes),
      ...(site.spec.mode === 'offline' ? (site.spec.allow ?? []) : []),
    ],
    seenFrom: new Map(elsewhere.map(({ fromNodes, fromHere }) => [fromNodes, fromHere])),
    publishedNames: (image) => namesIn(site, image),
  };
}

function namesIn(site: Site, { name, class: className, flatName }: LockedImage): string[] {
  const named = { reference: parseReference(name), class: className, flatName };
  return registryNames(Object.values(site.spec.registries), named).map(formatRegistryName);
}

/** Says of any address whether nodes may reach it. */
export interface HostGate {
  /** `('https', 'quay.io')` → false in a closed site. */
  allows(scheme: string, host: string): boolean;
}

/** A gate for a place; without one, or online, every host is allowed. */
export function hostGate(site: SiteFacts | undefined): HostGate {
  if (site?.mode !== 'offline') return { allows: () => true };
  const allowed = new Set(site.allowedHosts.flatMap(withPorts));
  return { allows: (scheme, host) => allowed.has(withPort(scheme, host)) };
}

/** `{ '10.0.0.5': '127.0.0.1:11443' }` → entries with ports, as connections are looked up. */
export function connectionPlaces(
  seenFrom: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    Array.from(seenFrom).flatMap(([fromNodes, fromHere]) =>
      withPorts(fromNodes).map((host): [string, string] => [host, fromHere]),
    ),
  );
}

/** `('https', 'Quay.io')` → `quay.io:443`. */
export function withPort(scheme: string, host: string): string {
  const written = host.toLowerCase().replace(/:$/, '');
  return hasPort(written) ? written : `${written}:${scheme === 'http' ? '80' : '443'}`;
}

function withPorts(host: string): string[] {
  return [...new Set([withPort('https', host), withPort('http', host)])];
}

function hasPort(host: string): boolean {
  return /(?:^[^:]+|\]):\d+$/.test(host);
}
