/** Reads written rules as the runtime reads them, and compares with what they are for. */

import { upstreamHost } from '../../oci/docker-hub.ts';
import { formatOrigin } from '../finding.ts';
import type { MirrorRule, MirrorTarget } from '../mirror-rule.ts';
import { EVERY_OTHER } from '../mirror-rule.ts';
import type { NodeRules, PullChain, PullEndpoint } from '../pull-chain.ts';

/** A name that nobody has, for the rule of every other registry. RFC 2606 keeps it free. */
const UNLISTED = 'registry.not-listed.invalid';

/** What differs, one line each; empty when every rule does what it says. */
export async function readBack(
  node: NodeRules,
  rules: readonly MirrorRule[],
  sandboxImage: string | undefined,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const rule of rules) problems.push(...(await readBackRule(node, rule)));
  const { sandboxImage: sandbox } = node;
  if (sandboxImage !== undefined && sandbox !== undefined && sandbox.image !== sandboxImage) {
    problems.push(
      `pods wait in ${sandbox.image} (${formatOrigin(sandbox.origin)}), not in ${sandboxImage}`,
    );
  }
  return [...new Set(problems)].map((problem) => problem.replaceAll('((built in))', '(built in)'));
}

async function readBackRule(node: NodeRules, rule: MirrorRule): Promise<readonly string[]> {
  const registry = rule.registry === EVERY_OTHER ? UNLISTED : rule.registry;
  const chain = await node.pullChain(`${registry}/slipway/read-back:1`);
  const name = rule.registry === EVERY_OTHER ? 'every other registry' : registry;
  if (chain.kind === 'refused') {
    const whose = chain.scope === 'node' ? 'the node' : name;
    return [`${whose}: ${chain.error} (${formatOrigin(chain.origin)})`];
  }
  const wanted = wantedBases(rule, registry);
  const got = chain.endpoints.map(({ base }) => base);
  if (wanted.join(' ') !== got.join(' ')) {
    return [
      `${name} would be pulled from ${got.join(', then ')}, not from ${wanted.join(', then ')}${because(chain)}`,
    ];
  }
  return rule.targets.flatMap((target, index) =>
    endpointProblems(target, chain.endpoints[index], name),
  );
}

/** The first error that the reader noticed says best why the result is another one. */
function because(chain: PullChain): string {
  const error = chain.findings.find(({ level }) => level === 'error');
  return error === undefined ? '' : `: ${error.message} (${formatOrigin(error.origin)})`;
}

function wantedBases(rule: MirrorRule, registry: string): readonly string[] {
  const bases = rule.targets.map(({ scheme, host, prefix }) =>
    prefix === '' ? `${scheme}://${host}/v2` : `${scheme}://${host}/v2/${prefix}`,
  );
  const upstream = upstreamHost(registry);
  return rule.fallback ? [...bases, `https://${upstream}/v2`] : bases;
}

function endpointProblems(
  target: MirrorTarget,
  endpoint: PullEndpoint | undefined,
  registry: string,
): readonly string[] {
  if (endpoint === undefined) return [];
  const problems: string[] = [];
  const abilities = endpoint.capabilities.join(', ');
  if (abilities !== 'pull, resolve') problems.push(`may ${abilities}`);
  if (endpoint.httpsFirst) problems.push('is asked over HTTPS first');
  if (endpoint.trust.skipVerify !== (target.skipVerify === true)) {
    problems.push(endpoint.trust.skipVerify ? 'is not verified' : 'is verified');
  }
  const pem = target.ca?.pem.trim();
  const isTrusted = pem === undefined || endpoint.trust.ca.some((file) => file.pem.includes(pem));
  if (!isTrusted) problems.push('does not trust the authorities of the Site');
  return problems.map(
    (problem) => `${registry}: ${endpoint.host} ${problem} (${formatOrigin(endpoint.origin)})`,
  );
}
