import type { ConfigTree } from '../config-tree.ts';
import type { Overlay } from '../overlay-tree.ts';
import type { Reload } from '../runtime-rules.ts';
import type { LintFinding } from './report/lint-finding.ts';
import type { FileNames } from './units/lint-unit.ts';

/** A file that was looked at, and for which runtime, unless it is for all of them. */
export interface LintedFile {
  readonly file: string;
  readonly runtime?: string;
}

/** Something that is linted and mended by itself: the files of one runtime, or one file with image names. */
export interface LintJob {
  readonly names: FileNames;
  /** The files as they are. */
  base(): Promise<ConfigTree>;
  /** What is found in them with these changes, by place; never rejects for bad configuration. */
  lint(changes?: Overlay): Promise<readonly LintFinding[]>;
  /** What must be done on the node after files changed (R0-31). */
  reloadsFor(paths: readonly string[]): Promise<readonly Reload[]>;
  /** Known once it was linted, as what follows. */
  files(): readonly LintedFile[];
  /** Certificates that the files name and that nobody handed over. */
  notSeen(): readonly string[];
}
