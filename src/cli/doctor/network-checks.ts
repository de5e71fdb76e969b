import { once } from 'node:events';
import { createServer } from 'node:net';
import { describeError } from '../../shared/errors.ts';
import type { Environment } from '../environment.ts';
import { type Check, type Finding, ok } from './check.ts';

/** Checks of loopback and of the proxies that the environment asks for. */
export const networkChecks: readonly Check[] = [
  {
    name: 'loopback',
    find: async () => judgeLoopback('127.0.0.1', 'fail', await bindError('127.0.0.1')),
  },
  { name: 'ipv6', find: async () => judgeLoopback('::1', 'warn', await bindError('::1')) },
  { name: 'proxies', find: async ({ environment }) => judgeProxies(environment.proxies) },
];

/** The embedded registry listens on loopback; without IPv6 only IPv6 addresses are lost. */
export function judgeLoopback(address: string, severity: 'warn' | 'fail', error: unknown): Finding {
  if (error === undefined) return ok(`a port on ${address} can be opened`);
  const text = `no port on ${address} can be opened: ${describeError(error)}`;
  const fix =
    severity === 'fail'
      ? 'Bring loopback up: ip link set lo up'
      : 'Nothing, unless a registry of yours has an IPv6 address only.';
  return { status: severity, text, fix };
}

/** Site registries are seldom reachable through a proxy, and loopback never is. */
export function judgeProxies(proxies: Environment['proxies']): Finding {
  const given = [proxies.http, proxies.https].filter((proxy) => proxy !== undefined);
  if (given.length === 0) return ok('none set');
  const hosts = given.map(proxyHost);
  if (hosts.includes(undefined)) {
    const fix = 'Set HTTP_PROXY and HTTPS_PROXY to URLs such as http://proxy.local:3128';
    return { status: 'fail', text: 'a proxy is set that is not an http or https URL', fix };
  }
  const text = `through ${[...new Set(hosts)].join(', ')}`;
  if (!proxies.except) {
    const fix =
      'Set NO_PROXY to the registries and nodes of the site: NO_PROXY=.site.local,10.0.0.0/8';
    return { status: 'warn', text: `${text}, with no exception`, fix };
  }
  return ok(`${text}, except ${proxies.except}`);
}

/** Host and port only: proxies often carry a password. */
function proxyHost(proxy: string): string | undefined {
  const text = proxy.includes('://') ? proxy : `http://${proxy}`;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : undefined;
}

async function bindError(address: string): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(0, address);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
}
