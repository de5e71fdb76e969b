/** Which registries Docker asks without looking at their certificates, and over HTTP. */

import { BlockList, isIP, isIPv6 } from 'node:net';
import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { HUB, HUB_INDEX } from '../../../oci/docker-hub.ts';
import { isDomain } from '../../../oci/reference-grammar.ts';
import { splitHostPort } from '../../go/host-port.ts';

/** One entry: the name that is compared as it is, or a network. */
export type InsecureEntry =
  | { readonly ok: true; readonly kind: 'name'; readonly name: string }
  | { readonly ok: true; readonly kind: 'network'; readonly address: string; readonly bits: number }
  | { readonly ok: false; readonly reason: string };

/** The addresses of a name as the node knows them; empty for one that it does not. */
export type AddressesOf = (name: string) => readonly string[];

/**
 * `http://reg.example:5000` → the name `reg.example:5000`; `10.0.0.0/8` → a network.
 * Source: moby/moby daemon/pkg/registry/config.go, loadInsecureRegistries.
 */
export function readInsecureEntry(text: string): InsecureEntry {
  const name = text === HUB_INDEX ? HUB : text;
  if (name.startsWith('-') || name.endsWith('-')) {
    return bad(`invalid index name (${name}). Cannot begin or end with a hyphen`);
  }
  const cut = text.indexOf('://');
  const scheme = cut === -1 ? undefined : text.slice(0, cut).toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
    return bad(`insecure registry ${text} should not contain '://'`);
  }
  const bare = cut === -1 ? text : text.slice(cut + 3);
  const network = readNetwork(bare);
  if (network !== undefined) return { ok: true, kind: 'network', ...network };
  const problem = hostPortProblem(bare);
  if (problem !== undefined) return bad(`insecure registry ${bare} is not valid: ${problem}`);
  return { ok: true, kind: 'name', name: bare };
}

function bad(reason: string): InsecureEntry {
  return { ok: false, reason };
}

function readNetwork(text: string): { address: string; bits: number } | undefined {
  const [, address = '', digits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  const bits = Number(digits);
  const most = family === 4 ? 32 : 128;
  return family === 0 || bits > most ? undefined : { address, bits };
}

/** Source: daemon/pkg/registry/config.go, validateHostPort. */
function hostPortProblem(text: string): string | undefined {
  const { host, port } = splitHostPort(text);
  if (!isDomain(text) && isIP(host) === 0) return `invalid host ${quoteGo(host)}`;
  if (port === '') return undefined;
  if (!/^\d+$/.test(port)) return `strconv.Atoi: parsing ${quoteGo(port)}: invalid syntax`;
  return Number(port) > 65_535 ? `invalid port ${quoteGo(port)}` : undefined;
}

/** Loopback counts as if it were listed; `::1` does since 28.0. */
export const impliedNetworks = {
  'since 28': ['::1/128', '127.0.0.0/8'],
  'before 28': ['127.0.0.0/8'],
} as const;

/**
 * False for a host that is listed, or whose address is in a listed network; `docker.io` is always
 * secure. Source: daemon/pkg/registry/config.go, isSecureIndex and isCIDRMatch.
 */
export function isSecureHost(
  host: string,
  insecure: readonly string[],
  addressesOf: AddressesOf,
  implied: readonly string[] = impliedNetworks['since 28'],
): boolean {
  if (host === HUB) return true;
  // One list would hold an IPv4 address against IPv6 networks too: `::/0` would open all of them.
  const networks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of [...insecure, ...implied].map(readInsecureEntry)) {
    if (!entry.ok) continue;
    if (entry.kind === 'network')
      networks[family(entry.address)].addSubnet(entry.address, entry.bits, family(entry.address));
    else if (entry.name === host) return false;
  }
  const name = splitHostPort(host).host;
  const addresses = isIP(name) === 0 ? addressesOf(name) : [name];
  return !addresses.some((address) => networks[family(address)].check(address, family(address)));
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
