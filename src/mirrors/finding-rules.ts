/** The numbers under which findings are reported, as the files of data/mirrors/rules explain them. */

import { z } from 'zod';
import { readData } from '../documents/read-data.ts';
import { readAsset } from '../shared/assets.ts';
import type { Finding, FindingLevel, FindingSubject, Noticed } from './finding.ts';

/** The file of each group of rules in data/mirrors/rules, and the numbers in it. */
const groups = {
  containerd: [
    ...(['C001', 'C002', 'C003', 'C004', 'C005', 'C006', 'C007', 'C008', 'C009'] as const),
    ...(['C010', 'C011', 'C012', 'C013', 'C014', 'C015', 'C016', 'C017', 'C018'] as const),
    ...(['C019', 'C020', 'C021', 'C022', 'C023', 'C024', 'C025', 'C026', 'C027'] as const),
    ...(['C028', 'C029', 'C030', 'C031', 'C032', 'C033', 'C034', 'C035', 'C036'] as const),
    ...(['C037', 'C038'] as const),
  ],
  k3s: ['K001', 'K002', 'K003', 'K004', 'K005', 'K006', 'K007', 'K008', 'K009'],
  'registries-conf': [
    ...(['R001', 'R002', 'R003', 'R004', 'R005', 'R006', 'R007', 'R008', 'R009'] as const),
  ],
  docker: ['D001', 'D002', 'D003', 'D004', 'D005', 'D006', 'D007', 'D008', 'D009'],
  talos: ['T001', 'T002', 'T003', 'T004', 'T005', 'T006'],
  names: ['N001', 'N002', 'N003', 'N004'],
  images: ['I001', 'I002', 'I003', 'I004', 'I005', 'I006', 'I007'],
  'any-runtime': ['S001', 'S002'],
} as const;

/** A group of rules, which is a file of data/mirrors/rules: `containerd`. */
export type RuleGroup = keyof typeof groups;

/** The number of a rule that some check reports; the data file says what each one means. */
export type RuleId<Group extends RuleGroup = RuleGroup> = (typeof groups)[Group][number];

const FindingRule = z.strictObject({
  id: z.enum(Object.values(groups).flat()),
  level: z.enum(['error', 'warn', 'info']),
  means: z.string().describe('what was found, in Markdown'),
  fix: z.string().describe('what to do in general, in Markdown'),
  basis: z.enum(['run', 'test', 'source', 'own']).describe('how it is known'),
  effect: z
    .enum(['stops all pulls', 'stops the registry', 'passes the mirrors'])
    .optional()
    .describe('what an error of this rule does to pulls; absent where it depends'),
});

/** One rule: its number, how bad it is, what it means, what to do. */
export type FindingRule = z.infer<typeof FindingRule>;

const RulesFile = z.strictObject({
  checked: z.iso.date().describe('the day on which a person compared it with its sources'),
  rules: z.array(FindingRule),
});

/** All rules, group by group in the order of their numbers. */
export interface FindingRules {
  readonly all: readonly FindingRule[];
  /** What was noticed about a subject, each with the level of its rule. */
  judge(noticed: readonly Noticed[], about: FindingSubject): readonly Finding[];
}

/** Reads the data files. Rejects with DOCUMENT_INVALID, with all places, when one is damaged. */
export async function loadFindingRules(): Promise<FindingRules> {
  const names = Object.keys(groups).filter((name): name is RuleGroup => name in groups);
  const files = await Promise.all(
    names.map(async (group) => readRuleGroup(await readAsset(fileOf(group)), group)),
  );
  const all = files.flat();
  const levels = new Map<RuleId, FindingLevel>(all.map(({ id, level }) => [id, level]));
  return {
    all,
    judge: (noticed, about) =>
      noticed.map((one) => ({
        ...one,
        // The schema has seen that every rule is there.
        level: one.level ?? levels.get(one.rule) ?? 'error',
        about,
      })),
  };
}

function fileOf(group: RuleGroup): string {
  return `data/mirrors/rules/${group}.yaml`;
}

/** The text of a data file → its rules; separate from the reading so that a test can damage it. */
export function readRuleGroup(text: string, group: RuleGroup): readonly FindingRule[] {
  const ids: readonly RuleId[] = groups[group];
  const schema = RulesFile.superRefine(({ rules }, context) => {
    if (rules.map(({ id }) => id).join(' ') === ids.join(' ')) return;
    const message = `does not have each rule once, in order: ${ids.join(', ')}`;
    context.addIssue({ code: 'custom', message, path: ['rules'] });
  });
  return readData(text, fileOf(group), schema).rules;
}
