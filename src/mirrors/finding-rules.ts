/** The numbers under which findings are reported, as data/mirrors/rules.yaml explains them. */

import { z } from 'zod';
import { readData } from '../documents/read-data.ts';
import { readAsset } from '../shared/assets.ts';
import type { Finding, FindingLevel, FindingSubject, Noticed } from './finding.ts';

const FILE = 'data/mirrors/rules.yaml';

const ruleIds = [
  'C001',
  'C002',
  'C003',
  'C004',
  'C005',
  'C006',
  'C007',
  'C008',
  'C009',
  'C010',
  'C013',
  'C014',
  'C016',
  'C018',
  'C019',
  'C020',
  'C021',
  'C022',
  'C025',
  'C027',
  'C028',
  'C029',
  'C030',
  'C031',
] as const;

/** The number of a rule that some check reports; the data file says what each one means. */
export type RuleId = (typeof ruleIds)[number];

const FindingRule = z.strictObject({
  id: z.enum(ruleIds),
  level: z.enum(['error', 'warn', 'info']),
  means: z.string().describe('what was found, in Markdown'),
  fix: z.string().describe('what to do in general, in Markdown'),
  basis: z.enum(['run', 'test', 'source', 'own']).describe('how it is known'),
});

/** One rule: its number, how bad it is, what it means, what to do. */
export type FindingRule = z.infer<typeof FindingRule>;

const RulesFile = z.strictObject({
  checked: z.iso.date().describe('the day on which a person compared it with its sources'),
  rules: z.array(FindingRule).superRefine((rules, context) => {
    const found = rules.map(({ id }) => id);
    if (found.join(' ') === ruleIds.join(' ')) return;
    const message = `does not have each rule once, in order: ${ruleIds.join(', ')}`;
    context.addIssue({ code: 'custom', message });
  }),
});

/** All rules, in the order of their numbers. */
export interface FindingRules {
  readonly all: readonly FindingRule[];
  /** What was noticed about a subject, each with the level of its rule. */
  judge(noticed: readonly Noticed[], about: FindingSubject): readonly Finding[];
}

/** Reads the data file. Rejects with DOCUMENT_INVALID, with all places, when it is damaged. */
export async function loadFindingRules(): Promise<FindingRules> {
  return readFindingRules(await readAsset(FILE));
}

/** The text of a data file → the rules; separate from the reading so that a test can damage it. */
export function readFindingRules(text: string): FindingRules {
  const { rules } = readData(text, FILE, RulesFile);
  const levels = new Map<RuleId, FindingLevel>(rules.map(({ id, level }) => [id, level]));
  return {
    all: rules,
    judge: (noticed, about) =>
      // The schema has seen that every rule is there.
      noticed.map((one) => ({ ...one, level: levels.get(one.rule) ?? 'error', about })),
  };
}
