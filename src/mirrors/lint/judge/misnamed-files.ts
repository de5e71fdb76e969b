/** What else is wrong in a file that nobody reads under its name: found in one look, not after a rename. */

import type { ConfigTree } from '../../config-tree.ts';
import { type Finding, findingKey, inFile } from '../../finding.ts';
import { overlayTree } from '../../overlay-tree.ts';

/**
 * Looks at the files again under the names that the findings would give them, and adds what is found in
 * these: `registry.yaml` is wrong by its name, and its line 12 by what it says. Places and changes are
 * those of the file as it is called now.
 */
export async function withMisnamed(
  tree: ConfigTree,
  lint: (tree: ConfigTree) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const found = await lint(tree);
  const renames = await fileRenames(found, tree);
  if (renames.size === 0) return found;
  const changes = new Map<string, string | undefined>();
  for (const [to, { from, text }] of renames) changes.set(to, text).set(from, undefined);
  const known = new Set(found.map(findingKey));
  const inside = (await lint(overlayTree(tree, changes))).flatMap((one) => {
    const rename = renames.get(one.origin.file ?? '');
    return rename === undefined ? [] : [underName(one, rename.from)];
  });
  return [...found, ...inside.filter((one) => !known.has(findingKey(one)))];
}

interface FileRename {
  readonly from: string;
  readonly text: string;
}

/** By the new names; two files that want one name are left alone. */
async function fileRenames(
  found: readonly Finding[],
  tree: ConfigTree,
): Promise<ReadonlyMap<string, FileRename>> {
  const renames = new Map<string, FileRename>();
  for (const { mend } of found) {
    if (mend?.kind !== 'rename' || renames.has(mend.to)) continue;
    const [file, there] = [await tree.read(mend.path), await tree.read(mend.to)];
    if (file.kind !== 'file' || there.kind !== 'missing') continue;
    renames.set(mend.to, { from: mend.path, text: Buffer.from(file.bytes).toString('utf8') });
  }
  return renames;
}

/** A second rename would be one of the first. */
function underName({ mend, ...finding }: Finding, file: string): Finding {
  const here = { ...finding, origin: inFile(finding.origin, file) };
  return mend?.kind === 'edit' ? { ...here, mend: { ...mend, path: file } } : here;
}
