import type { FindingRule } from '../../src/mirrors/finding-rules.ts';

/** Where the page is, from the project's root. */
export const mirrorRulesPath = 'docs/reference/mirror-rules.md';

const start = '<!-- rules: made by "npm run docs" from data/mirrors/rules, do not edit -->';
const end = '<!-- end of rules -->';
const levels = { error: 'E', warn: 'W', info: 'I' } as const;

/** What the letter of a rule stands for. */
const groups: Readonly<Record<string, string>> = {
  C: 'containerd',
  K: 'k3s and RKE2',
  R: 'CRI-O, podman, skopeo, buildah: registries.conf',
  D: 'Docker: daemon.json',
  T: 'Talos',
  N: 'Names of images',
  I: 'Images and rules together, and scripts that check them',
  S: 'Any runtime',
};

/** The page with its tables made anew, one for each letter; everything around them stays. */
export function mirrorRulesPage(rules: readonly FindingRule[], before: string): string {
  const sections = Array.from(
    Map.groupBy(rules, ({ id }) => id.charAt(0)),
    ([letter, group]) => [`## ${groups[letter] ?? letter}`, '', ...tableOf(group), ''],
  );
  const tables = [start, '', ...sections.flat(), end].join('\n');
  const [from, to] = [before.indexOf(start), before.indexOf(end)];
  if (from === -1 || to < from) return `${before}\n${tables}\n`;
  return before.slice(0, from) + tables + before.slice(to + end.length);
}

/** Reports link to single rules, so each row has an anchor: `#c004`. */
function tableOf(rules: readonly FindingRule[]): readonly string[] {
  const rows = rules.map(({ id, level, means, fix, basis }) => {
    const cells = [`<a id="${id.toLowerCase()}"></a>${id}`, levels[level], means, fix, basis];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return [
    '| rule | level | what it means | what to do | known by |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ];
}
