import { SlipwayError } from '../../shared/errors.ts';
import { memoryTree } from '../memory-tree.ts';
import type { RuntimeRules, WantedFile } from '../runtime-rules.ts';

/**
 * What Slipway writes where there are no rules: the files that make the runtime look at those of rules. Empty
 * for a runtime that cannot be without rules.
 */
export async function mainFiles(
  runtime: Pick<RuntimeRules, 'compile'>,
): Promise<readonly WantedFile[]> {
  try {
    return (await runtime.compile(memoryTree({}), [], undefined)).wanted;
  } catch (error) {
    if (error instanceof SlipwayError) return [];
    throw error;
  }
}
