import { type Finding, formatOrigin } from '../../mirrors/finding.ts';
import type { PullChain, PullEndpoint } from '../../mirrors/pull-chain.ts';
import type { HostGate } from '../allowed-hosts.ts';
import type { Failure } from '../report.ts';

/**
 * What the node's files alone say, before any request: the configuration refuses every pull, or the
 * chain can reach a host that the Site does not allow (promise P3). The latter also when an endpoint
 * before it has the image: the node goes on when that one is down or has lost a blob.
 */
export function checkChain(chain: PullChain, gate: HostGate): Failure | undefined {
  if (chain.kind === 'refused') {
    const whole =
      chain.scope === 'node' ? 'every pull on this node' : `every pull of ${chain.registry}`;
    return {
      kind: 'configuration-refused',
      summary: `the configuration makes ${whole} fail`,
      asked: [],
      because: [`${chain.error} (${formatOrigin(chain.origin)})`, ...becauseOf(chain.findings)],
      do: [],
    };
  }
  const outside = chain.endpoints.find(
    ({ scheme, host, reachable }) => reachable && !gate.allows(scheme, host),
  );
  if (outside === undefined) return undefined;
  return {
    kind: 'falls-open',
    summary: 'the node would leave the site',
    host: outside.host,
    asked: [],
    because: [placeOf(outside, chain), ...becauseOf(chain.findings)],
    do: [],
  };
}

/** `every pull of x fails: … (/etc/containerd/certs.d/x/hosts.toml:3, C010)`, errors only. */
export function becauseOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ level }) => level === 'error')
    .map(({ message, origin, rule }) => `${message} (${formatOrigin(origin)}, ${rule})`);
}

/** What to mend by hand where nobody knows whether a command would do it: the main configuration. */
export function fixesOf(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ level, about }) => level === 'error' && about === 'main configuration')
    .map(({ fix }) => fix);
}

function placeOf({ role, host, origin }: PullEndpoint, { registry }: PullChain): string {
  const place = formatOrigin(origin);
  switch (role) {
    case 'mirror':
      return `${place} names the mirror ${host}, which the Site does not allow`;
    case 'server':
      return `${place} names the server ${host}, which the Site does not allow`;
    case 'upstream':
      return origin.builtIn
        ? `no rule for ${registry} is read, so the runtime asks ${host}`
        : `${place} names no server, so the runtime asks ${host} when the mirrors fail`;
  }
}
