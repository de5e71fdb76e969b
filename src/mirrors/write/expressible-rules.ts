/** Leaves out the guards that a runtime has no words for, and says so. */

import type { ConfigTree } from '../config-tree.ts';
import { MirrorRuleNotWritable } from '../errors.ts';
import type { MirrorRule } from '../mirror-rule.ts';
import type { RuntimeRules } from '../runtime-rules.ts';

/** The rules that are left, and a warning for each guard that is not among them. */
export interface ExpressibleRules {
  readonly rules: readonly MirrorRule[];
  readonly warnings: readonly string[];
}

/**
 * Asks the runtime's own compiler about each guard ({@link MirrorRule.isGuard}). Without it images of the
 * Lock are pulled alike, so that a runtime that cannot say it still gets all other rules: CRI-O and podman have no
 * prefix for every registry. Rejects with MIRROR_RULE_NOT_WRITABLE where no rule would be left.
 */
export async function expressibleRules(
  rules: readonly MirrorRule[],
  tree: ConfigTree,
  runtime: RuntimeRules,
): Promise<ExpressibleRules> {
  const warnings = new Map<MirrorRule, string>();
  for (const rule of rules.filter(({ isGuard }) => isGuard === true)) {
    try {
      await runtime.compile(tree, [rule], undefined);
    } catch (error) {
      if (!(error instanceof MirrorRuleNotWritable) || rules.length === 1) throw error;
      const { reason, instead } = error.data;
      const advice = instead === undefined ? '' : `. ${instead}`;
      warnings.set(rule, `names that are not in the Lock can leave the site: ${reason}${advice}`);
    }
  }
  return {
    rules: rules.filter((rule) => !warnings.has(rule)),
    warnings: [...warnings.values()],
  };
}
