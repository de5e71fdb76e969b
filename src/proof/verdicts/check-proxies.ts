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
    const because = [`${proxy.name} in ${proxy.file} names the proxy`];
    return throughProxy(host, proxy.host, { asked: [], because });
  }
  return undefined;
}

/** A proxy that the Site does not allow, on the way to a host. */
export function throughProxy(
  host: string,
  proxyHost: string,
  evidence: Pick<Failure, 'asked' | 'because'>,
): Failure {
  return {
    kind: 'falls-open',
    summary: `the node would ask ${host} through the proxy ${proxyHost}, outside the site`,
    host: proxyHost,
    ...evidence,
    do: [
      `name ${host} in NO_PROXY of the runtime's service, or add ${proxyHost} to "allow" in the Site`,
    ],
  };
}
