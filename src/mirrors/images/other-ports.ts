/** I005: mirrors on a host of the Site's registries, on a port that the Site does not say. */

import { formatOrigin, type Noticed } from '../finding.ts';
import type { AskedName } from './asked-names.ts';

/**
 * `deploy.example:40443`, where the Site has `deploy.example` → one finding at each line that leads there:
 * one of two values was changed alone.
 */
export function otherPorts(
  asked: readonly AskedName[],
  siteHosts: ReadonlySet<string>,
): readonly Noticed[] {
  const known = Map.groupBy(siteHosts, hostName);
  const found = new Map<string, Noticed>();
  for (const { host, endpoint } of asked) {
    const right = known.get(hostName(host));
    if (right === undefined || siteHosts.has(host)) continue;
    const { origin } = endpoint;
    found.set(formatOrigin(origin), {
      rule: 'I005',
      origin,
      message: `${endpoint.host} is no registry of the Site, which has ${right.join(' and ')} on this host`,
      fix: `Write ${right.join(' or ')}, or correct the Site; "slipway mirrors write" takes it from there.`,
    });
  }
  return [...found.values()];
}

function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}
