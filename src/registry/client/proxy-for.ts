/** Which proxy a URL is reached through. */
import { BlockList, isIP } from 'node:net';
import type { ProxySettings } from './settings.ts';

/**
 * The proxy for `url`, or undefined to connect directly.
 *
 * `https://reg.corp:5000/` with `{ https: 'http://p:3128', noProxy: '.corp:5000,10.0.0.0/8' }` → undefined.
 * NO_PROXY holds, by commas or spaces: `*`, names (`corp` and `.corp` also mean all below; `.corp` and
 * `*.corp` not the name itself), addresses and CIDR blocks, each with an optional port. Loopback is
 * never proxied. Source: Go's golang.org/x/net/http/httpproxy, which containerd and skopeo follow.
 */
export function proxyFor(url: URL, proxy: ProxySettings | undefined): string | undefined {
  const address = url.protocol === 'https:' ? proxy?.https : proxy?.http;
  if (proxy === undefined || address === undefined || address === '') return undefined;
  const host = url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  const port = url.port === '' ? defaultPort(url) : url.port;
  if (isLoopback(host)) return undefined;
  const entries = (proxy.noProxy ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.some((entry) => matches(entry.toLowerCase(), host, port)) ? undefined : address;
}

function defaultPort(url: URL): string {
  return url.protocol === 'https:' ? '443' : '80';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return inBlock(entry, host);
  const { name, wantPort } = splitPort(entry);
  if (wantPort !== undefined && wantPort !== port) return false;
  if (name === '*') return true;
  if (isIP(name) !== 0 || isIP(host) !== 0) return name === host;
  const suffix = name.replace(/^\*?\./, '');
  return host.endsWith(`.${suffix}`) || (suffix === name && host === name);
}

/** `[::1]:443` → `::1` and 443; `::1` has no port. */
function splitPort(entry: string): { name: string; wantPort: string | undefined } {
  const match = /^\[(.*)\](?::(\d+))?$/.exec(entry) ?? /^([^:]*)(?::(\d+))?$/.exec(entry);
  return { name: match?.[1] ?? entry, wantPort: match?.[2] };
}

function inBlock(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(network) === 0 || isIP(host) !== isIP(network) || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 'ipv6' ? 128 : 32)) return false;
  const block = new BlockList();
  block.addSubnet(network, Number(bits), family);
  return block.check(host, family);
}
