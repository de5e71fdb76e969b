import type { ConfigTree, TreeEntry, TreeName } from '../../mirrors/config-tree.ts';
import { type Digest, digestOf } from '../../oci/digest.ts';
import { canonicalJson } from '../../shared/json.ts';

/**
 * A node's files, with a note of all that was read of them: also what was missing, since a file that
 * appears later may change every pull. Two nodes with the same digest pull alike.
 */
export class ReadRecord implements ConfigTree {
  readonly #tree: ConfigTree;
  readonly #seen = new Map<string, unknown>();

  constructor(tree: ConfigTree) {
    this.#tree = tree;
  }

  async read(path: string): Promise<TreeEntry> {
    const entry = await this.#tree.read(path);
    this.#seen.set(
      `file ${path}`,
      entry.kind === 'file' ? { kind: 'file', digest: digestOf(entry.bytes) } : entry,
    );
    return entry;
  }

  async list(path: string): Promise<readonly TreeName[]> {
    const names = await this.#tree.list(path);
    this.#seen.set(`folder ${path}`, names);
    return names;
  }

  /** The digest of all that was read until now, whatever the order in which it was. */
  digest(): Digest {
    return digestOf(canonicalJson(Object.fromEntries(this.#seen)));
  }
}
