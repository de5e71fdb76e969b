import type { RuntimeName } from '../../../site/runtime-id.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { RuntimeRules } from '../../runtime-rules.ts';

/** How paths of a node are called by the user, and where they lie on this machine. */
export interface FileNames {
  /** The user's own name for a path of the node; undefined for what is not the user's. */
  shownAs(path: string): string | undefined;
  /** The folder of this machine below which files are written, and a path of the node below it. */
  readonly writeRoot: string;
  writePath(path: string): string | undefined;
  /** The root of the node to which the files belong: whoever changes them takes its lock. */
  readonly lockRoot?: string;
}

/**
 * Files that one runtime reads together, and how they are called by who asked: a whole node, or single
 * files that were put where they belong on one.
 */
export interface LintUnit extends FileNames {
  readonly runtime: RuntimeName;
  /** The files as a node of this version has them, with what goes without saying around them. */
  treeFor(rules: RuntimeRules): Promise<ConfigTree>;
  /** Whether findings at this path of the node were asked for. */
  isAskedFor(path: string): boolean;
  /** The files of the user that were looked at, by the user's names; certificates do not count. */
  files(): readonly string[];
  /** True for a node that is there as a whole: what its files name must be on it. */
  readonly isWholeNode: boolean;
  /** Certificates that the files name and that were not handed over, as far as one has seen. */
  notSeen(): readonly string[];
}
