import type { LintFinding } from './lint-unit-findings.ts';
import type { ImageNamesFile } from './make-units.ts';

export async function lintImageNames(
  _files: readonly ImageNamesFile[],
): Promise<readonly LintFinding[]> {
  return [];
}
