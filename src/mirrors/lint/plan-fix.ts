/** Decides which safe changes mend what was found, and looks at the result; writes nothing. */

import type { ConfigTree } from '../config-tree.ts';
import type { Mend } from '../finding.ts';
import type { RuleId } from '../finding-rules.ts';
import { openRuntime } from '../open-runtime.ts';
import { overlayTree } from '../overlay-tree.ts';
import { applyEdits, chooseEdits } from './apply-edits.ts';
import type { LintUnit } from './lint-unit.ts';
import { type LintFinding, type LintQuestion, lintUnit, runtimeId } from './lint-unit-findings.ts';

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

/** What a fix does to one unit: first the edits, then the renames in their order. */
export interface FixPlan {
  readonly edits: readonly FileEdit[];
  readonly renames: readonly Rename[];
  /** What is found in the files as they are. */
  readonly found: readonly LintFinding[];
  /** What is mended by it, as it was found, with the file that each was found in. */
  readonly mended: readonly LintFinding[];
  /** What is found afterwards: what a person must decide. */
  readonly left: readonly LintFinding[];
}

/** Mends until nothing that can be mended is found any more, or until another round changes nothing. */
export async function planFix(unit: LintUnit, question: LintQuestion): Promise<FixPlan> {
  const state = new FixState(await baseTree(unit, question));
  const mended: LintFinding[] = [];
  const before = await lintUnit(unit, question);
  let left = before;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const done = await state.mend(left, unit);
    if (done.length === 0) break;
    mended.push(...done);
    left = await lintUnit(unit, question, state.changes);
  }
  const edits = await state.edits();
  return { edits, renames: state.renames, found: before, mended, left };
}

async function baseTree(unit: LintUnit, { lines }: LintQuestion): Promise<ConfigTree> {
  // The user's own files are the same for every version.
  const version = lines.at(-1)?.versions.at(-1) ?? '';
  return unit.treeFor(await openRuntime(runtimeId(unit, version)));
}

/** The files as they are after the rounds so far. */
class FixState {
  readonly #base: ConfigTree;
  readonly changes = new Map<string, string | undefined>();
  readonly renames: Rename[] = [];

  constructor(base: ConfigTree) {
    this.#base = base;
  }

  /** Does what fits together, edits before renames; gives the findings that it mends. */
  async mend(found: readonly LintFinding[], unit: LintUnit): Promise<readonly LintFinding[]> {
    const done: LintFinding[] = [];
    const edits = found.flatMap((finding) => withEdits(finding));
    for (const [path, group] of Map.groupBy(edits, ({ path }) => path)) {
      const text = await this.#textAt(path);
      if (text === undefined) continue;
      const { edits: chosen, chosen: groups } = chooseEdits(group, text.length);
      const after = applyEdits(text, chosen);
      if (after === text) continue;
      this.changes.set(path, after);
      done.push(...groups.map(({ finding }) => finding));
    }
    for (const finding of found) {
      if (finding.mend?.kind === 'rename' && (await this.#rename(finding.mend, unit))) {
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

  async #rename({ path: from, to }: Extract<Mend, { kind: 'rename' }>, unit: LintUnit) {
    const isFree = (await this.#tree.read(to)).kind === 'missing';
    if (!isFree || unit.writePath(to) === undefined) return false;
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

function withEdits(finding: LintFinding) {
  const { mend } = finding;
  return mend?.kind === 'edit' ? [{ finding, path: mend.path, edits: mend.edits }] : [];
}

/** `C004, C006`: each rule once, in order. */
export function rulesOf(findings: readonly LintFinding[]): string {
  const rules: readonly RuleId[] = findings.map(({ rule }) => rule);
  return [...new Set(rules)].sort().join(', ');
}
