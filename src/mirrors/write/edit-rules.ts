/** The rules of a node, with one of them changed: what `mirrors add` and `mirrors remove` write. */

import { suggest } from '../../documents/suggest.ts';
import { HUB, isHub } from '../../oci/docker-hub.ts';
import { compareText } from '../../shared/json.ts';
import type { ConfigTree } from '../config-tree.ts';
import { MirrorRuleAbsent, MirrorRulesUnknown } from '../errors.ts';
import { EVERY_OTHER, type MirrorRule, scopeName } from '../mirror-rule.ts';
import { authorOf } from '../own-text.ts';
import type { RuntimeRules } from '../runtime-rules.ts';
import { type NodeRecord, type RememberedRule, readNodeRecord } from './node-record.ts';

/**
 * What the node remembers of its rules; undefined where Slipway wrote nothing. Rejects with
 * MIRROR_RULES_UNKNOWN where files of ours are there and nothing is remembered: a change of one rule
 * would drop the others. The root is for their remedy.
 */
export async function rulesOnNode(
  tree: ConfigTree,
  runtime: RuntimeRules,
  root: string,
): Promise<NodeRecord | undefined> {
  const record = await readNodeRecord(tree);
  if (record !== undefined) return record;
  const { existing } = await runtime.compile(tree, [], undefined);
  for (const path of existing) {
    const entry = await tree.read(path);
    const isOurs = entry.kind === 'file' && authorOf(entry.bytes) !== 'somebody-else';
    if (isOurs) throw new MirrorRulesUnknown({ root, file: path });
  }
  return undefined;
}

/** Where a rule applies: `registry.k8s.io`, `registry.k8s.io/cluster-api`, or every other registry. */
export type RuleScope = Pick<MirrorRule, 'registry' | 'path'>;

/** The rules with this one in the place of the one for the same scope, sorted. */
export function withRule(
  rules: readonly RememberedRule[],
  rule: MirrorRule,
): readonly RememberedRule[] {
  return [...rules.filter((other) => !isSameScope(other, rule)), rule].sort((a, b) =>
    compareText(scopeName(a), scopeName(b)),
  );
}

/** The rules of the node at `root` without those for these scopes. Throws MIRROR_RULE_ABSENT. */
export function withoutRules(
  rules: readonly RememberedRule[],
  scopes: readonly RuleScope[],
  root: string,
): readonly RememberedRule[] {
  for (const scope of scopes) {
    if (rules.some((rule) => isSameScope(rule, scope))) continue;
    const [rule, known] = [scopeName(scope), rules.map(scopeName)];
    const plain = meantScope(rule);
    const meant = plain !== undefined && known.includes(plain) ? plain : suggest(rule, known);
    throw new MirrorRuleAbsent({ root, rule, known, ...(meant !== undefined && { meant }) });
  }
  return rules.filter((rule) => !scopes.some((scope) => isSameScope(rule, scope)));
}

/** `registry.k8s.io/cluster-api` → registry and path; `*` is every other registry. */
export function parseScope(text: string): RuleScope {
  if (text === EVERY_OTHER) return { registry: EVERY_OTHER };
  const [registry = '', ...path] = text.split('/');
  const below = path.join('/');
  return below === '' ? { registry } : { registry, path: below };
}

/**
 * What somebody means who writes a registry as nobody names images after it: `https://Docker.io` and
 * `registry-1.docker.io` → `docker.io`. Undefined where nothing is to be said otherwise.
 */
export function meantScope(text: string): string | undefined {
  const plain = text.replace(/^https?:\/\//i, '').replace(/\/+$/, '');
  const [host = '', ...path] = plain.split('/');
  const meant = [isHub(host) ? HUB : host.toLowerCase(), ...path].join('/');
  return meant === text ? undefined : meant;
}

function isSameScope(a: RuleScope, b: RuleScope): boolean {
  return scopeName(a) === scopeName(b);
}
