import type { ConfigTree } from './config-tree.ts';
import type { MirrorRule } from './mirror-rule.ts';
import type { NodeRules } from './pull-chain.ts';
import type { WantedFile } from './write/wanted-file.ts';

/** Rules as the files of one node, and what of its other files belongs to them. */
export interface CompiledRules {
  readonly wanted: readonly WantedFile[];
  /** Files that already say what is needed, whoever wrote them. */
  readonly settled: ReadonlyArray<{ readonly path: string; readonly because: string }>;
  /** The paths of all rule files that are there, wanted or not. */
  readonly existing: readonly string[];
  /** For a wanted change of somebody else's file: the lines that a person would put into it. */
  readonly insert?: { readonly path: string; readonly lines: string };
}

/**
 * What a runtime of one version knows about rules: the one port between this folder and the folders
 * of the runtimes. `openRuntime` (open-runtime.ts) has one for each runtime that is known.
 */
export interface RuntimeRules {
  /** Reads a node's configuration; never rejects for bad configuration. */
  openNode(tree: ConfigTree): Promise<NodeRules>;
  /** The files for the rules. Rejects with MIRROR_RULE_NOT_WRITABLE, MIRROR_CONFIG_BROKEN. */
  compile(
    tree: ConfigTree,
    rules: readonly MirrorRule[],
    sandboxImage: string | undefined,
  ): Promise<CompiledRules>;
  /** True for a file that the runtime reads only when it starts. */
  needsRestart(path: string): boolean;
  /** What every report must say about this version, such as that nobody has checked it yet. */
  readonly notes: readonly string[];
}
