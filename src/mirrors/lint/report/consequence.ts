import type { FindingRule, RuleId } from '../../finding-rules.ts';
import { EVERY_OTHER } from '../../mirror-rule.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { LintFinding } from './lint-finding.ts';

type Effect = NonNullable<FindingRule['effect']>;

/** The worst first. */
const effects: readonly Effect[] = ['stops all pulls', 'stops the registry', 'passes the mirrors'];

/**
 * What the errors together do to pulls: `pulls of docker.io leave the site`, or undefined where that depends.
 * The worst effect counts, and one on all versions more than the same on some.
 */
export function consequenceOf(
  findings: readonly LintFinding[],
  rules: readonly FindingRule[],
  { mode }: LintedSite,
): string | undefined {
  const byRule = new Map<RuleId, Effect | undefined>(rules.map(({ id, effect }) => [id, effect]));
  const errors = findings.filter(({ level }) => level === 'error');
  for (const effect of effects) {
    const found = errors.filter(({ rule }) => byRule.get(rule) === effect);
    const everywhere = found.filter(({ onlyOn }) => onlyOn === undefined);
    const counted = everywhere.length > 0 ? everywhere : found;
    const [first] = counted;
    if (first === undefined) continue;
    const where = first.onlyOn === undefined ? '' : `on ${first.onlyOn} `;
    return where + wordsFor(effect, registriesOf(counted), mode);
  }
  return undefined;
}

function wordsFor(effect: Effect, registries: string, mode: LintedSite['mode']): string {
  switch (effect) {
    case 'stops all pulls':
      return 'nothing can be pulled';
    case 'stops the registry':
      return `pulls${registries} fail`;
    case 'passes the mirrors':
      return `pulls${registries} ${mode === 'offline' ? 'leave the site' : 'go past the mirrors'}`;
    default:
      return effect satisfies never;
  }
}

/** ` of docker.io and quay.io`; empty where one of the findings is about no registry alone, or they are many. */
function registriesOf(findings: readonly LintFinding[]): string {
  const names = findings.map(({ registry }) =>
    registry === EVERY_OTHER ? 'every other registry' : registry,
  );
  const distinct = [...new Set(names)].sort();
  if (distinct.length > 3 || distinct.includes(undefined)) return '';
  const last = distinct.pop() ?? '';
  return ` of ${distinct.length === 0 ? last : `${distinct.join(', ')} and ${last}`}`;
}
