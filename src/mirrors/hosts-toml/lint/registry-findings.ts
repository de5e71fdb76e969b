/** What is wrong with, or surprising about, the rules of one registry. */

import type { Noticed } from '../../finding.ts';
import type { RuleId } from '../../finding-rules.ts';
import type { Skipped } from '../../pull-chain.ts';
import { discarded } from './discarded.ts';
import { endpointSettings } from './endpoint-settings.ts';
import { endpointUrls } from './endpoint-urls.ts';
import { failures } from './failures.ts';
import { fileNames } from './file-names.ts';
import { hostsKeys } from './hosts-keys.ts';
import type { Check, JudgedRules } from './judged.ts';
import { upstream } from './upstream.ts';

/** What a hosts.toml says, whatever it is called. */
const ofContent: readonly Check[] = [
  discarded,
  hostsKeys,
  upstream,
  endpointSettings,
  endpointUrls,
  failures,
];

/** All findings of a registry's rules, by the rule numbers of docs/reference/mirror-rules.md. */
export function registryFindings(judged: JudgedRules): readonly Noticed[] {
  return [...fileNames(judged), ...contentFindings(judged)];
}

/** The findings that a hosts.toml has by itself, without those about the names in its folder. */
export function contentFindings(judged: JudgedRules): readonly Noticed[] {
  return ofContent.flatMap((check) => check(judged));
}

/** Files that look like rules and have no effect, with the reason. */
export function skippedFiles(judged: JudgedRules): readonly Skipped[] {
  const silent = new Set<RuleId>(['C001', 'C002', 'C013', 'C021', 'C022', 'C025']);
  return registryFindings(judged)
    .filter(({ rule }) => silent.has(rule))
    .map(({ origin, message }) => ({ origin, because: message }));
}
