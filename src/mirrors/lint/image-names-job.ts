import { LinedText } from '../../documents/lined-text.ts';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { loadFindingRules } from '../finding-rules.ts';
import { memoryTree } from '../memory-tree.ts';
import { lintNames } from '../names/lint-names.ts';
import { type Overlay, overlayTree } from '../overlay-tree.ts';
import { type LintFinding, placesIn } from './lint-finding.ts';
import type { LintJob } from './lint-job.ts';
import type { ImageNamesFile } from './make-units.ts';

/**
 * The image names of one manifest or list; with a runtime only what is true of that one. The file is read
 * once, at the path that it has on this machine.
 */
export function imageNamesJob(
  { kind, file: { real, shown, bytes } }: ImageNamesFile,
  runtime: RuntimeName | undefined,
): LintJob {
  const tree = memoryTree({ [real]: bytes });
  const lint = async (changes: Overlay = new Map()): Promise<readonly LintFinding[]> => {
    const entry = await overlayTree(tree, changes).read(real);
    const text = entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : '';
    const noticed = lintNames({ kind, file: real, text }, runtime);
    const found = (await loadFindingRules()).judge(noticed, 'registry rules');
    const lined = new LinedText(text);
    return found.map((one) => ({ ...one, file: shown, ...placesIn(lined, one) }));
  };
  return {
    names: {
      shownAs: (path) => (path === real ? shown : undefined),
      writeRoot: '/',
      writePath: (path) => (path === real ? real : undefined),
    },
    base: () => Promise.resolve(tree),
    lint,
    reloadsFor: () => Promise.resolve([]),
    files: () => [{ file: shown }],
    notSeen: () => [],
  };
}
