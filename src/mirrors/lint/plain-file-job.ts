import { LinedText } from '../../documents/lined-text.ts';
import type { Finding } from '../finding.ts';
import { memoryTree } from '../memory-tree.ts';
import { type Overlay, overlayTree } from '../overlay-tree.ts';
import type { LintJob } from './lint-job.ts';
import { type LintFinding, placesIn } from './report/lint-finding.ts';
import type { InputFile } from './units/gather-files.ts';

/**
 * A file that no runtime reads as its configuration: a list, a manifest, a script. `judge` looks at its
 * text under the path that it has on this machine; the file is read once.
 */
export function plainFileJob(
  { real, shown, bytes }: InputFile,
  judge: (text: string, path: string) => readonly Finding[],
): LintJob {
  const tree = memoryTree({ [real]: bytes });
  const lint = async (changes: Overlay = new Map()): Promise<readonly LintFinding[]> => {
    const entry = await overlayTree(tree, changes).read(real);
    const text = entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : '';
    const lined = new LinedText(text);
    return judge(text, real).map((one) => ({ ...one, file: shown, ...placesIn(lined, one) }));
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
