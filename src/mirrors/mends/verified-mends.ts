/** Keeps only changes that do what they promise: the finding goes, and nothing new comes. */

import { isUtf8 } from 'node:buffer';
import { applyTextEdits } from '../../documents/text-edit.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { Mend, Noticed } from '../finding.ts';
import { type Overlay, overlayTree } from '../overlay-tree.ts';
import { chooseEdits } from './choose-edits.ts';

type Lint = (tree: ConfigTree) => Promise<readonly Noticed[]>;

/**
 * The findings, without the mends after which `lint` finds the same again or something else, alone or
 * together with those before it: a mend that another one stands in the way of is offered once that is done.
 */
export async function verifiedMends(
  found: readonly Noticed[],
  tree: ConfigTree,
  lint: Lint,
): Promise<readonly Noticed[]> {
  const kept: Mend[] = [];
  const checked: Noticed[] = [];
  for (const { mend, ...rest } of found) {
    const isSafe =
      mend !== undefined &&
      (await isMended([mend], rest, { found, tree, lint })) &&
      (kept.length === 0 || (await isMended([...kept, mend], rest, { found, tree, lint })));
    checked.push(isSafe ? { ...rest, mend } : rest);
    if (isSafe) kept.push(mend);
  }
  return checked;
}

interface Before {
  readonly found: readonly Noticed[];
  readonly tree: ConfigTree;
  readonly lint: Lint;
}

async function isMended(
  mends: readonly Mend[],
  one: Noticed,
  { found, tree, lint }: Before,
): Promise<boolean> {
  const changes = await changesOf(mends, tree);
  if (changes === undefined) return false;
  const after = await lint(overlayTree(tree, changes));
  const isGone = countOf(after, one) < countOf(found, one);
  return isGone && after.every((other) => countOf(after, other) <= countOf(found, other));
}

/** Lines move when others go, so findings are told apart by their rule only. */
function countOf(found: readonly Noticed[], { rule }: Noticed): number {
  return found.filter((one) => one.rule === rule).length;
}

/** Undefined for a file whose bytes would not survive a change of its text. */
async function changesOf(mends: readonly Mend[], tree: ConfigTree): Promise<Overlay | undefined> {
  const changes = new Map<string, string | undefined>();
  for (const path of new Set(mends.map((mend) => mend.path))) {
    const entry = await tree.read(path);
    if (entry.kind !== 'file' || !isUtf8(entry.bytes)) return undefined;
    const text = Buffer.from(entry.bytes).toString('utf8');
    const own = mends.filter((mend) => mend.path === path);
    const groups = own.flatMap((mend) => (mend.kind === 'edit' ? [mend] : []));
    const changed = applyTextEdits(text, chooseEdits(groups, text.length).edits);
    const rename = own.find((mend) => mend.kind === 'rename');
    changes.set(rename?.to ?? path, changed);
    if (rename !== undefined) changes.set(path, undefined);
  }
  return changes;
}
