/** S002: a node whose files send no pull anywhere else, which looks as if nothing were wrong with them. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Noticed } from '../../finding.ts';
import { isInsideSite } from '../../inside-site.ts';
import { UNLISTED } from '../../mirror-rule.ts';
import type { PullChain } from '../../pull-chain.ts';
import type { LintedSite, RuntimeRules } from '../../runtime-rules.ts';

/** Where most images of clusters come from; the last one stands for all others. */
const usual = ['docker.io', 'registry.k8s.io', 'quay.io', 'ghcr.io', 'gcr.io', UNLISTED];

/**
 * That each registry outside of the site is asked itself: an error offline, else worth knowing. Empty as
 * soon as one of them has a mirror, or cannot be asked at all, which other rules say. `ruleFile` is where the
 * runtime would have its rules: `daemon.json`.
 */
export async function noMirrors(
  tree: ConfigTree,
  rules: RuntimeRules,
  site: LintedSite,
  ruleFile: string,
): Promise<readonly Noticed[]> {
  const asked = new Set([...usual, ...(site.registries ?? [])]);
  const outside = [...asked].filter(
    (registry) => site.mode === 'online' || !isInsideSite(site, upstreamHost(registry)),
  );
  const file = rules.placeOf(ruleFile);
  if (outside.length === 0 || file === undefined) return [];
  const node = await rules.openNode(tree);
  for (const registry of outside) {
    if (!asksItself(await node.pullChain(`${registry}/slipway/lint:1`))) return [];
  }
  const isOffline = site.mode === 'offline';
  const message = isOffline
    ? 'the node has no mirror rules at all: every pull from outside would leave the site'
    : 'the node has no mirror rules at all: every registry is asked itself';
  const fix =
    'Write the rules with "slipway mirrors write --site SITE --lock LOCK", or one rule with "slipway mirrors add".';
  return [{ rule: 'S002', level: isOffline ? 'error' : 'info', origin: { file }, message, fix }];
}

function asksItself(chain: PullChain): boolean {
  return chain.kind === 'endpoints' && chain.endpoints.every(({ role }) => role === 'upstream');
}
