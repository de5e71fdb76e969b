import { directoryTree } from '../../mirrors/directory-tree.ts';
import { MirrorRecordBroken } from '../../mirrors/write/errors.ts';
import { type NodeRecord, readNodeRecord } from '../../mirrors/write/node-record.ts';
import { parseRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';

/** What a node says about its runtime by what Slipway keeps there. */
export interface RememberedRuntime {
  /** The one that Slipway wrote for last; absent where it wrote nothing, or where that cannot be read. */
  readonly runtime?: RuntimeId;
  /** For people: why this runtime, or why none. */
  readonly notes: readonly string[];
}

/** The runtime of the node at `root`; `shown` is how the user wrote it. Only looks, so a bad record is a note. */
export async function rememberedRuntime(root: string, shown: string): Promise<RememberedRuntime> {
  const record = await recordOf(root);
  if (record === undefined) return { notes: [] };
  if (typeof record === 'string') {
    return { notes: [`the runtime that Slipway wrote for is not known: ${record}`] };
  }
  const note = `${shown} is taken for ${record.runtime}, which Slipway wrote for last; --runtime says otherwise`;
  return { runtime: parseRuntimeId(record.runtime), notes: [note] };
}

/** The record, nothing where there is none, or why it cannot be used. */
async function recordOf(root: string): Promise<NodeRecord | string | undefined> {
  try {
    return await readNodeRecord(directoryTree(root));
  } catch (error) {
    if (error instanceof MirrorRecordBroken) return error.message;
    throw error;
  }
}
