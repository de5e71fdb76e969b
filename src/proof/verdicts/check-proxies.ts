import type { OpenChain } from '../../mirrors/pull-walk.ts';
import type { HostGate } from '../allowed-hosts.ts';
import { forbiddenProxy } from '../node/proxy-of-service.ts';
import type { ServiceEnvironment } from '../node/service-environment.ts';
import type { Failure } from '../report.ts';

/**
 * Whether the environment of the node's runtime leads a request of the chain to a proxy that the Site
 * does not allow (promise P3): undefined when none does. Nothing is asked.
 */
export function failureOfProxies(
  { endpoints }: OpenChain,
  environment: ServiceEnvironment,
  gate: HostGate,
): Failure | undefined {
  for (const { scheme, host, reachable } of endpoints) {
    const url = reachable ? URL.parse(`${scheme}://${host}`) : null;
    const proxy = url === null ? undefined : forbiddenProxy(environment, url, gate);
    if (proxy === undefined) continue;
    return {
      kind: 'falls-open',
      summary: `the node would ask ${host} through the proxy ${proxy.host}, outside the site`,
      host: proxy.host,
      asked: [],
      because: [`${proxy.name} in ${proxy.file} names the proxy`],
      do: [
        `name ${host} in NO_PROXY of the runtime's service, or add ${proxy.host} to "allow" in the Site`,
      ],
    };
  }
  return undefined;
}
