import type { FindingRule } from '../../src/mirrors/finding-rules.ts';

/** Where the page is, from the project's root. */
export const mirrorRulesPath = 'docs/reference/mirror-rules.md';

const start = '<!-- rules: made by "npm run docs" from data/mirrors/rules, do not edit -->';
const end = '<!-- end of rules -->';
const letters = { error: 'E', warn: 'W', info: 'I' } as const;

/** The page with its table made anew; everything around the table stays. */
export function mirrorRulesPage(rules: readonly FindingRule[], before: string): string {
  const rows = rules.map(({ id, level, means, fix, basis }) => {
    return `| ${[id, letters[level], means, fix, basis].join(' | ')} |`;
  });
  const head = [
    '| rule | level | what it means | what to do | known by |',
    '|---|---|---|---|---|',
  ];
  const table = [start, '', ...head, ...rows, '', end].join('\n');
  const [from, to] = [before.indexOf(start), before.indexOf(end)];
  if (from === -1 || to < from) return `${before}\n${table}\n`;
  return before.slice(0, from) + table + before.slice(to + end.length);
}
