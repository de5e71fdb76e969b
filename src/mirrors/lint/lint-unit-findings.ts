/** Lints one unit for every version it may run, and says of each finding for which of them it holds. */

import { compareText } from '../../shared/json.ts';
import type { RuntimeId, RuntimeName } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { type Finding, type FindingLevel, formatOrigin, type Mend } from '../finding.ts';
import { openRuntime } from '../open-runtime.ts';
import { type Overlay, overlayTree } from '../overlay-tree.ts';
import type { LintedSite } from '../runtime-rules.ts';
import { describeLines, type LintLine } from './lint-lines.ts';
import type { LintUnit } from './lint-unit.ts';
import { excerptOf, type SourceExcerpt } from './source-excerpt.ts';
import { positionAt, type TextPosition } from './text-position.ts';

/** What is asked of a lint: the versions, and what is known of the place. */
export interface LintQuestion {
  readonly lines: readonly LintLine[];
  readonly site: LintedSite;
}

/** A finding under the user's own name of the file. */
export interface LintFinding extends Omit<Finding, 'mend'> {
  /** As the user calls it. */
  readonly file: string;
  readonly runtime?: RuntimeName;
  /** `containerd 1.6–1.7` where it does not hold for all versions that were looked at. */
  readonly onlyOn?: string;
  /** In paths of the node; only where the file is one that may be changed. */
  readonly mend?: Mend;
  /** The line that it is about, where there is one. */
  readonly source?: SourceExcerpt;
  /** The edits of the mend by line and column, where they are in this file. */
  readonly replacements?: readonly Replacement[];
}

/** One edit: what stands between two places becomes `text`. */
export interface Replacement {
  readonly from: TextPosition;
  readonly to: TextPosition;
  readonly text: string;
}

/** Everything that was asked for and found, by file and place. Never rejects for bad configuration. */
export async function lintUnit(
  unit: LintUnit,
  question: LintQuestion,
  changes: Overlay = new Map(),
): Promise<readonly LintFinding[]> {
  const merged: Merged[] = [];
  for (const version of question.lines.flatMap(({ versions }) => versions)) {
    const found = await lintVersion(unit, version, question.site, changes);
    mergeVersion(
      merged,
      found.filter((one) => isWanted(one, unit)),
      version,
    );
  }
  const texts = await openTexts(unit, question, changes);
  const described: LintFinding[] = [];
  for (const one of merged) {
    const finding = describe(one, unit, question);
    described.push({ ...finding, ...(await placesIn(finding, texts)) });
  }
  return described.sort(byPlace);
}

type Texts = (path: string) => Promise<string | undefined>;

/** The files as they are shown; those of the user are the same for every version. */
async function openTexts(
  unit: LintUnit,
  { lines }: LintQuestion,
  changes: Overlay,
): Promise<Texts> {
  const newest = lines.at(-1)?.versions.at(-1) ?? '';
  const rules = await openRuntime(runtimeId(unit, newest));
  const tree = overlayTree(await unit.treeFor(rules), changes);
  return async (path) => {
    const entry = await tree.read(path);
    return entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : undefined;
  };
}

async function placesIn({ origin, mend }: LintFinding, texts: Texts) {
  const text = await texts(origin.file);
  const { line, column } = origin;
  const source = text !== undefined && line !== undefined && excerptOf(text, line, column);
  const isHere = mend?.kind === 'edit' && mend.path === origin.file;
  const replacements =
    text === undefined || !isHere
      ? []
      : mend.edits.map(({ start, end, text: replaced }) => {
          return { from: positionAt(text, start), to: positionAt(text, end), text: replaced };
        });
  return { ...(source && { source }), ...(replacements.length > 0 && { replacements }) };
}

/** One finding of several versions; the newest one's words count, and the worst level. */
interface Merged {
  finding: Finding;
  level: FindingLevel;
  readonly versions: Set<string>;
}

async function lintVersion(
  unit: LintUnit,
  version: string,
  site: LintedSite,
  changes: Overlay,
): Promise<readonly Finding[]> {
  const rules = await openRuntime(runtimeId(unit, version));
  const tree: ConfigTree = overlayTree(await unit.treeFor(rules), changes);
  return rules.lint(tree, site);
}

/** Some runtimes have no versions that differ: their one line has an empty name. */
export function runtimeId({ runtime: name }: LintUnit, version: string): RuntimeId {
  return version === '' ? { name } : { name, version };
}

/** A main configuration that is broken is worth an answer whatever was asked: nothing else counts then. */
function isWanted({ origin, about, level }: Finding, unit: LintUnit): boolean {
  if (unit.isAskedFor(origin.file)) return true;
  return unit.isWholeNode && about === 'main configuration' && level === 'error';
}

/**
 * A finding is the same on two versions if rule and place are, even where one of them says it in other
 * words; of several at one place those with the same words belong together first.
 */
function mergeVersion(merged: Merged[], found: readonly Finding[], version: string): void {
  const rest = found.filter((one) => !join(merged, one, version, isSaidAlike));
  for (const finding of rest) {
    if (join(merged, finding, version, () => true)) continue;
    merged.push({ finding, level: finding.level, versions: new Set([version]) });
  }
}

/** Adds a finding to one of an earlier version; false if there is none that fits. */
function join(
  merged: readonly Merged[],
  finding: Finding,
  version: string,
  fits: (before: Finding, now: Finding) => boolean,
): boolean {
  const place = `${finding.rule} ${formatOrigin(finding.origin)}`;
  const before = merged.find(
    (one) =>
      !one.versions.has(version) &&
      `${one.finding.rule} ${formatOrigin(one.finding.origin)}` === place &&
      fits(one.finding, finding),
  );
  if (before === undefined) return false;
  before.finding = finding;
  before.level = worse(before.level, finding.level);
  before.versions.add(version);
  return true;
}

/** Some messages name the version. */
function isSaidAlike(a: Finding, b: Finding): boolean {
  return wordsOf(a) === wordsOf(b);
}

function wordsOf({ message }: Finding): string {
  return message.replaceAll(/v?\d+\.\d+\.\d+(?:[+-]\w+)?/g, '');
}

function worse(a: FindingLevel, b: FindingLevel): FindingLevel {
  const order: readonly FindingLevel[] = ['error', 'warn', 'info'];
  return order.indexOf(a) < order.indexOf(b) ? a : b;
}

function describe(
  { finding, level, versions }: Merged,
  unit: LintUnit,
  { lines }: LintQuestion,
): LintFinding {
  const { mend, ...rest } = finding;
  const only = describeLines(lines, versions);
  return {
    ...rest,
    runtime: unit.runtime,
    level,
    file: unit.shownAs(finding.origin.file) ?? finding.origin.file,
    ...(only !== undefined && { onlyOn: `${unit.runtime} ${only}` }),
    ...(mend !== undefined && isPossible(mend, unit) && { mend }),
  };
}

function isPossible(mend: Mend, unit: LintUnit): boolean {
  if (!unit.isAskedFor(mend.path) || unit.writePath(mend.path) === undefined) return false;
  return mend.kind === 'edit' || unit.writePath(mend.to) !== undefined;
}

/** By file, line and column, the worst first where they are the same. */
export function byPlace(a: LintFinding, b: LintFinding): number {
  return (
    compareText(a.file, b.file) ||
    (a.origin.line ?? 0) - (b.origin.line ?? 0) ||
    (a.origin.column ?? 0) - (b.origin.column ?? 0) ||
    compareText(a.rule, b.rule)
  );
}
