import type { ConfigTree } from '../config-tree.ts';
import { hideSecretsIn } from '../diff/hide-secrets.ts';
import { unifiedDiff } from '../diff/unified-diff.ts';
import type { WriteAction } from './plan-write.ts';

/** What happens to one file. */
export interface FileDiff {
  readonly path: string;
  readonly do: WriteAction['do'];
  readonly because: string;
  /** Head and hunks of a unified diff with secrets hidden; empty for a file that is kept. */
  readonly lines: readonly string[];
}

/** The actions of a plan as differences of files; `tree` has the files as they are now. */
export async function diffFiles(
  tree: ConfigTree,
  actions: readonly WriteAction[],
): Promise<readonly FileDiff[]> {
  const diffs: FileDiff[] = [];
  for (const action of actions) {
    const { path, because } = action;
    diffs.push({ path, do: action.do, because, lines: await linesOf(tree, action) });
  }
  return diffs;
}

async function linesOf(tree: ConfigTree, action: WriteAction): Promise<readonly string[]> {
  const after = contentAfter(action);
  if (after === 'kept') return [];
  const entry = await tree.read(action.path);
  const before = entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : undefined;
  const heads = [
    `--- ${before === undefined ? '/dev/null' : action.path}`,
    `+++ ${after === undefined ? '/dev/null' : action.path}`,
  ];
  return [...heads, ...unifiedDiff(before ?? '', after ?? '', hideSecretsIn)];
}

function contentAfter(action: WriteAction): string | undefined | 'kept' {
  switch (action.do) {
    case 'keep':
      return 'kept';
    case 'remove':
      return undefined;
    case 'restore':
      return Buffer.from(action.bytes).toString('utf8');
    case 'write':
    case 'replace':
    case 'change':
      return action.content;
    default:
      return action satisfies never;
  }
}
