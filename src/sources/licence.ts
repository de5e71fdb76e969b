import { matchesGlob } from 'node:path';
import parse from 'spdx-expression-parse';

/** What a class says about licences: SPDX ids or globs such as `GPL-*`. */
export interface LicenceRules {
  readonly allow: readonly string[];
  /** A person has to look before it travels. */
  readonly review: readonly string[];
}

/** May something under a licence expression travel? `unknown`: the text is no SPDX expression. */
export type LicenceVerdict = 'allowed' | 'review' | 'refused' | 'unknown';

type SpdxNode = ReturnType<typeof parse>;

/**
 * Judges an SPDX expression: of alternatives (OR) the best counts, of joint licences (AND) the worst.
 *
 * `Apache-2.0 OR GPL-3.0-only` with `{ allow: ['Apache-2.0'], review: [] }` → `allowed`.
 * An exception belongs to the licence's name: `GPL-2.0-only WITH Classpath-exception-2.0` is allowed
 * only where a rule names all of that, or a glob covers it. Sloppy text is never guessed at.
 * Source: SPDX specification, annex D.
 */
export function judgeLicence(expression: string, rules: LicenceRules): LicenceVerdict {
  const tree = parseExpression(expression);
  return tree === undefined ? 'unknown' : judgeNode(tree, rules);
}

function parseExpression(expression: string): SpdxNode | undefined {
  try {
    return parse(expression);
  } catch {
    return undefined;
  }
}

const ranks = ['refused', 'review', 'allowed'] as const;
type Rank = (typeof ranks)[number];

function judgeNode(node: SpdxNode, rules: LicenceRules): Rank {
  if ('license' in node) return judgeLeaf(node, rules);
  const left = ranks.indexOf(judgeNode(node.left, rules));
  const right = ranks.indexOf(judgeNode(node.right, rules));
  const rank = node.conjunction === 'and' ? Math.min(left, right) : Math.max(left, right);
  return ranks[rank] ?? 'refused';
}

function judgeLeaf(leaf: Extract<SpdxNode, { license: string }>, rules: LicenceRules): Rank {
  const exception = leaf.exception === undefined ? '' : ` WITH ${leaf.exception}`;
  // "or any later version" may be taken as this very version, so a rule may name either.
  const names = leaf.plus === true ? [`${leaf.license}+`, leaf.license] : [leaf.license];
  const fits = (patterns: readonly string[]) =>
    names.some((name) => patterns.some((pattern) => matchesGlob(`${name}${exception}`, pattern)));
  if (fits(rules.allow)) return 'allowed';
  return fits(rules.review) ? 'review' : 'refused';
}
