/** R005: short names that cannot be pulled, since nobody can be asked which one is meant. */

import type { Noticed } from '../../finding.ts';
import { modeOf, type NodeFiles } from '../read/node-files.ts';
import type { LintedFile } from './linted-file.ts';

/** Several search registries where the mode is enforcing. */
export function searchFindings(
  files: NodeFiles,
  linted: readonly LintedFile[],
): readonly Noticed[] {
  const last = linted.findLast(({ file }) => file?.settings.searchRegistries !== undefined);
  const search = last?.file?.settings.searchRegistries ?? [];
  const modes = linted.map(({ file }) => file?.settings.shortNameMode);
  const shortNameMode = modes.findLast((mode) => mode !== undefined) ?? 'permissive';
  if (last === undefined || search.length < 2) return [];
  if (modeOf(files, { shortNameMode }) !== 'enforcing') return [];
  const scan = last.file?.decoded.scan;
  const key = scan?.keys.find(({ path }) => /^unqualified-search-registries$/i.test(path[0] ?? ''));
  const origin = key === undefined ? {} : { line: key.line, column: key.column };
  return [
    {
      rule: 'R005',
      origin: { file: last.path, ...origin },
      message: `a name without a registry cannot be pulled: it may mean any of ${search.join(', ')}, and nobody can be asked`,
      fix: 'Keep one search registry, or write full names.',
    },
  ];
}
