/** Mends a node's files in memory, round by round, and looks at the result each time. */

import { applyTextEdits } from '../../../documents/text-edit.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Mend } from '../../finding.ts';
import { chooseEdits } from '../../mends/choose-edits.ts';
import { type Overlay, overlayTree } from '../../overlay-tree.ts';

/** More rounds than that mean that two rules undo each other. */
const MOST_ROUNDS = 10;

/** One changed file: its path on the node before any renaming, and its text before and after. */
export interface FileEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A file or folder that gets another name, by its paths on the node. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** What mends the files: first the edits, then the renames in their order. */
export interface MendedFiles<Found> {
  readonly edits: readonly FileEdit[];
  readonly renames: readonly Rename[];
  /** What is found in the files as they are. */
  readonly found: readonly Found[];
  /** What is mended, as it was found. */
  readonly mended: readonly Found[];
  /** What is found afterwards: what a person must decide. */
  readonly left: readonly Found[];
}

/** The files, and who looks at them. */
export interface MendPorts<Found extends { readonly mend?: Mend }> {
  readonly base: ConfigTree;
  /** What is found in the files with these changes. */
  lint(changes: Overlay): Promise<readonly Found[]>;
  /** Whether something may get this name. */
  mayBeNamed(path: string): boolean;
}

/** Mends until nothing that can be mended is found any more, or until another round changes nothing. */
export async function mendFiles<Found extends { readonly mend?: Mend }>(
  ports: MendPorts<Found>,
): Promise<MendedFiles<Found>> {
  const state = new MendedState(ports.base);
  const found = await ports.lint(new Map());
  const mended: Found[] = [];
  let left = found;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const done = await state.mend(left, ports);
    if (done.length === 0) break;
    mended.push(...done);
    left = await ports.lint(state.changes);
  }
  return { edits: await state.edits(), renames: state.renames, found, mended, left };
}

/** The files as they are after the rounds so far. */
class MendedState {
  readonly #base: ConfigTree;
  readonly changes = new Map<string, string | undefined>();
  readonly renames: Rename[] = [];

  constructor(base: ConfigTree) {
    this.#base = base;
  }

  /** Does what fits together, edits before renames; gives the findings that it mends. */
  async mend<Found extends { readonly mend?: Mend }>(
    found: readonly Found[],
    ports: MendPorts<Found>,
  ): Promise<readonly Found[]> {
    const done: Found[] = [];
    const edits = found.flatMap((finding) => withEdits(finding));
    for (const [path, group] of Map.groupBy(edits, ({ path }) => path)) {
      const text = await this.#textAt(path);
      if (text === undefined) continue;
      const { edits: chosen, chosen: groups } = chooseEdits(group, text.length);
      const after = applyTextEdits(text, chosen);
      if (after === text) continue;
      this.changes.set(path, after);
      done.push(...groups.map(({ finding }) => finding));
    }
    for (const finding of found) {
      if (finding.mend?.kind === 'rename' && (await this.#rename(finding.mend, ports))) {
        done.push(finding);
      }
    }
    return done;
  }

  get #tree(): ConfigTree {
    return overlayTree(this.#base, this.changes);
  }

  /** Undefined for what is no text: bytes that are not UTF-8 would not survive. */
  async #textAt(path: string): Promise<string | undefined> {
    const entry = await this.#tree.read(path);
    if (entry.kind !== 'file') return undefined;
    const text = Buffer.from(entry.bytes).toString('utf8');
    return Buffer.from(text).equals(entry.bytes) ? text : undefined;
  }

  async #rename(
    { path: from, to }: Extract<Mend, { kind: 'rename' }>,
    { mayBeNamed }: Pick<MendPorts<never>, 'mayBeNamed'>,
  ): Promise<boolean> {
    const isFree = (await this.#tree.read(to)).kind === 'missing';
    if (!isFree || !mayBeNamed(to)) return false;
    const moved = await this.#textsBelow(from);
    if (moved === undefined || moved.length === 0) return false;
    for (const { path, text } of moved) {
      this.changes.set(path, undefined);
      this.changes.set(to + path.slice(from.length), text);
    }
    this.renames.push({ from, to });
    return true;
  }

  /** The file itself, or all files in a folder; undefined if one of them is no text. */
  async #textsBelow(path: string): Promise<{ path: string; text: string }[] | undefined> {
    const entry = await this.#tree.read(path);
    if (entry.kind !== 'folder') {
      const text = await this.#textAt(path);
      return text === undefined ? undefined : [{ path, text }];
    }
    const all: { path: string; text: string }[] = [];
    for (const { name } of await this.#tree.list(path)) {
      const below = await this.#textsBelow(`${path}/${name}`);
      if (below === undefined) return undefined;
      all.push(...below);
    }
    return all;
  }

  async edits(): Promise<readonly FileEdit[]> {
    const edits: FileEdit[] = [];
    for (const [path, after] of this.changes) {
      if (after === undefined) continue;
      const original = this.#originalPath(path);
      const entry = await this.#base.read(original);
      const before = entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : '';
      if (before !== after) edits.push({ path: original, before, after });
    }
    return edits;
  }

  #originalPath(path: string): string {
    return this.renames.reduceRight(
      (at, { from, to }) => (`${at}/`.startsWith(`${to}/`) ? from + at.slice(to.length) : at),
      path,
    );
  }
}

function withEdits<Found extends { readonly mend?: Mend }>(finding: Found) {
  const { mend } = finding;
  return mend?.kind === 'edit' ? [{ finding, path: mend.path, edits: mend.edits }] : [];
}
