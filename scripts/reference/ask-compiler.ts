/** Asks the real compiler of a runtime, as `slipway mirrors write` does, on a node in memory. */

import { MirrorRuleNotWritable } from '../../src/mirrors/errors.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import type { MirrorRule } from '../../src/mirrors/mirror-rule.ts';
import { openRuntime } from '../../src/mirrors/open-runtime.ts';
import { overlayTree } from '../../src/mirrors/overlay-tree.ts';
import type { WantedFile } from '../../src/mirrors/runtime-rules.ts';
import { readBack } from '../../src/mirrors/write/read-back.ts';
import { SlipwayError } from '../../src/shared/errors.ts';
import type { RuntimeId } from '../../src/site/runtime-id.ts';

/** A node's files before the rules: path → text. */
export type NodeFiles = Readonly<Record<string, string>>;

/** What the compiler made of rules, or why it did not. */
export type CompilerAnswer =
  | { readonly kind: 'files'; readonly files: readonly WantedFile[] }
  | { readonly kind: 'refused'; readonly reason: string; readonly instead: string };

/** Compiles and reads back; a rule that would not do what it says counts as refused, too. */
export async function askCompiler(
  runtime: RuntimeId,
  rules: readonly MirrorRule[],
  node: NodeFiles,
): Promise<CompilerAnswer> {
  try {
    const known = await openRuntime(runtime);
    const tree = memoryTree(node);
    const { wanted } = await known.compile(tree, rules, undefined);
    const changes = new Map(wanted.map(({ path, content }) => [path, content]));
    const read = await known.openNode(overlayTree(tree, changes));
    const [problem] = await readBack(read, rules, undefined);
    return problem === undefined
      ? { kind: 'files', files: wanted }
      : { kind: 'refused', reason: problem, instead: '' };
  } catch (error) {
    if (!(error instanceof SlipwayError)) throw error;
    // The name of the rule stands in the table already.
    const reason = error instanceof MirrorRuleNotWritable ? error.data.reason : error.message;
    return { kind: 'refused', reason, instead: error.fix };
  }
}
