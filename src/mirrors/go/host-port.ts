/** Hosts with ports, as Go's net package and containerd take them apart. */

import { isIPv4, isIPv6 } from 'node:net';

/** net.SplitHostPort: `h:1` → host and port; without exactly one port there is none. */
export function splitHostPort(host: string): { readonly host: string; readonly port: string } {
  const match = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(host);
  if (match === null) return { host, port: '' };
  return { host: match[1] ?? match[2] ?? '', port: match[3] ?? '' };
}

/** True for `localhost`, 127.0.0.0/8 and `[::1]:port`, as containerd decides it. */
export function isLocalHost(host: string): boolean {
  const name = splitHostPort(host).host;
  if (name === 'localhost') return true;
  if (isIPv4(name)) return name.startsWith('127.');
  if (!isIPv6(name) || name.includes('%')) return false;
  return /^\[::(?:1|ffff:7f..:.*)\]$/.test(new URL(`http://[${name}]`).hostname);
}
