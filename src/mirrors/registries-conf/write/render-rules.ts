/** Rules as `[[registry]]` tables. */

import { ReferenceInvalid } from '../../../oci/errors.ts';
import { matchReference, podmanGrammar } from '../../../oci/reference-grammar.ts';
import { MirrorRuleNotWritable } from '../../errors.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget, scopeName } from '../../mirror-rule.ts';
import { matchLength } from '../walk/match-prefix.ts';

/** The text of all rules; empty without any. Throws MIRROR_RULE_NOT_WRITABLE. */
export function renderRules(rules: readonly MirrorRule[]): string {
  const tables = rules.map(tableOf);
  for (const table of tables) refuseBlockedMirrors(table, tables);
  return tables.map(render).join('\n');
}

interface Table {
  readonly prefix: string;
  readonly mirrors: readonly MirrorTarget[];
  readonly insecure: boolean;
  readonly blocked: boolean;
}

/** Without fallback the registry is blocked, unless it is itself the last place of the list. */
function tableOf(rule: MirrorRule): Table {
  const prefix = scopeName(rule);
  if (rule.registry === EVERY_OTHER) throw everyOther();
  refuseName(prefix, prefix);
  for (const target of rule.targets) refuseName(locationOf(target), prefix);
  const itself = rule.targets.findIndex((target) => locationOf(target) === prefix);
  const isLast = itself === rule.targets.length - 1;
  if (itself !== -1 && !isLast) {
    const reason = `${prefix} itself stands before other places, and registries.conf has it last`;
    throw new MirrorRuleNotWritable({ rule: prefix, reason });
  }
  const last = rule.targets[itself];
  return {
    prefix,
    mirrors: itself === -1 ? rule.targets : rule.targets.slice(0, itself),
    insecure: last !== undefined && isInsecure(last),
    blocked: itself === -1 && !rule.fallback,
  };
}

function locationOf({ host, prefix }: MirrorTarget): string {
  return prefix === '' ? host : `${host}/${prefix}`;
}

/** HTTP is said in no other way; the program then tries HTTPS without verification first. */
function isInsecure({ scheme, skipVerify }: MirrorTarget): boolean {
  return scheme === 'http' || skipVerify === true;
}

function everyOther(): Error {
  return new MirrorRuleNotWritable({
    rule: 'every other registry',
    reason:
      'a prefix of registries.conf is a host, a path below one, or *.domain, and none of them stands for all registries',
    instead:
      'Write a rule for each registry that images are named after, and keep the nodes from all others by a firewall or by name servers that know none of them.',
  });
}

/** A name that containers/image cannot parse would break each pull. */
function refuseName(name: string, rule: string): void {
  try {
    matchReference(`${name}/x`, podmanGrammar);
  } catch (error) {
    if (!(error instanceof ReferenceInvalid)) throw error;
    const reason = name.startsWith('[')
      ? `CRI-O and podman know no registries by IPv6 address, such as ${name}`
      : `${name} is no name that CRI-O and podman read: ${error.data.reason}`;
    throw new MirrorRuleNotWritable({ rule, reason });
  }
}

/** `blocked` holds for the place that is asked, whichever table leads there. */
function refuseBlockedMirrors({ prefix, mirrors }: Table, tables: readonly Table[]): void {
  for (const mirror of mirrors) {
    const name = `${locationOf(mirror)}/x`;
    const [longest] = tables
      .filter((table) => matchLength(name, table.prefix) !== -1)
      .sort((a, b) => b.prefix.length - a.prefix.length);
    if (longest?.blocked !== true) continue;
    const reason = `its images come from ${locationOf(mirror)}, and the rule for ${longest.prefix} keeps the node from asking there`;
    const instead = `Give the rule for ${longest.prefix} a fallback, or reach the mirror under another name.`;
    throw new MirrorRuleNotWritable({ rule: prefix, reason, instead });
  }
}

function render({ prefix, mirrors, insecure, blocked }: Table): string {
  const lines = [
    '[[registry]]',
    `prefix = ${JSON.stringify(prefix)}`,
    `location = ${JSON.stringify(prefix)}`,
    ...(insecure ? ['insecure = true'] : []),
    ...(blocked ? ['blocked = true'] : []),
    ...mirrors.flatMap((mirror) => [
      '[[registry.mirror]]',
      `location = ${JSON.stringify(locationOf(mirror))}`,
      ...(isInsecure(mirror) ? ['insecure = true'] : []),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
