/** Lints one unit for every version it may run, and says of each finding for which of them it holds. */

import { LinedText } from '../../../documents/lined-text.ts';
import { formatRuntimeId, type RuntimeId, type RuntimeName } from '../../../site/runtime-id.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { describeSpans } from '../../describe-spans.ts';
import type { FileFacts } from '../../files/file-facts.ts';
import { ruleFileOf } from '../../files/node-runtimes.ts';
import {
  type Finding,
  type FindingLevel,
  findingKey,
  formatOrigin,
  type Mend,
  type Origin,
} from '../../finding.ts';
import type { FindingRules } from '../../finding-rules.ts';
import { judgeImages } from '../../images/judge-images.ts';
import type { KnownImages } from '../../images/known-images.ts';
import { openRuntime } from '../../open-runtime.ts';
import { type Overlay, overlayTree } from '../../overlay-tree.ts';
import { newestOf, type ReleaseSpan, triedVersions } from '../../release-spans.ts';
import type { LintedSite, RuntimeRules } from '../../runtime-rules.ts';
import { byPlace, type LintFinding, placesIn } from '../report/lint-finding.ts';
import type { LintUnit } from '../units/lint-unit.ts';
import { type MergedFinding, MergedVersions } from './merge-versions.ts';
import { withMisnamed } from './misnamed-files.ts';
import { noMirrors } from './no-mirrors.ts';

/** What is asked of a lint: the versions, and what is known of the place. */
export interface LintQuestion {
  /** The versions that it may be. */
  readonly spans: readonly ReleaseSpan[];
  readonly site: LintedSite;
  /** What nodes shall pull, as far as one knows. */
  readonly images: KnownImages;
  /** As `openRuntime`. */
  readonly open: OpenRuntime;
  /** The table of all rules. */
  readonly rules: FindingRules;
  /** By what files runtimes are recognised. */
  readonly facts: FileFacts;
}

/** Opens the rules of a runtime; see {@link rememberRuntimes}. */
export type OpenRuntime = (runtime: RuntimeId) => Promise<RuntimeRules>;

/** A lint asks the same versions again and again, and each is read from data files. */
export function rememberRuntimes(table: FindingRules): OpenRuntime {
  const opened = new Map<string, Promise<RuntimeRules>>();
  return (runtime) => {
    const name = formatRuntimeId(runtime);
    const rules = opened.get(name) ?? openRuntime(runtime, Promise.resolve(table));
    opened.set(name, rules);
    return rules;
  };
}

/** Everything that was asked for and found, by file and place. Never rejects for bad configuration. */
export async function lintUnit(
  unit: LintUnit,
  question: LintQuestion,
  changes: Overlay = new Map(),
): Promise<readonly LintFinding[]> {
  const merged = new MergedVersions();
  for (const version of triedVersions(question.spans)) {
    const found = await lintVersion(unit, version, question, changes);
    merged.add(
      found.filter((one) => isWanted(one, unit)),
      version,
    );
  }
  const texts = await openTexts(unit, question, changes);
  const described: LintFinding[] = [];
  for (const one of merged.all()) {
    const finding = describe(one, unit, question);
    described.push({ ...finding, ...placesIn(await texts(finding.origin.file ?? ''), finding) });
  }
  return described.sort(byPlace);
}

type Texts = (path: string) => Promise<LinedText | undefined>;

/** The files as they are shown, each read once; those of the user are the same for every version. */
async function openTexts(
  unit: LintUnit,
  { spans, open }: LintQuestion,
  changes: Overlay,
): Promise<Texts> {
  const rules = await open({ name: unit.runtime, version: newestOf(spans) });
  const tree = overlayTree(await unit.treeFor(rules), changes);
  const known = new Map<string, Promise<LinedText | undefined>>();
  return (path) => {
    const text = known.get(path) ?? linedText(tree, path);
    known.set(path, text);
    return text;
  };
}

async function linedText(tree: ConfigTree, path: string): Promise<LinedText | undefined> {
  const entry = await tree.read(path);
  if (entry.kind !== 'file') return undefined;
  return new LinedText(Buffer.from(entry.bytes).toString('utf8'));
}

async function lintVersion(
  unit: LintUnit,
  version: string,
  { open, site, images, facts, rules: table }: LintQuestion,
  changes: Overlay,
): Promise<readonly Finding[]> {
  const rules = await open({ name: unit.runtime, version });
  const tree: ConfigTree = overlayTree(await unit.treeFor(rules), changes);
  const found = await withMisnamed(tree, async (files) => [
    ...(await rules.lint(files, site)),
    ...(await withImages({ rules, tree: files, images, table, runtime: unit.runtime })),
  ]);
  if (!unit.isWholeNode) return found;
  // A lint takes a missing main configuration for one that was not handed over; a node has none then.
  const known = new Set(found.map(findingKey));
  const { findings } = await rules.openNode(tree);
  const all = [...found, ...findings.filter((one) => !known.has(findingKey(one)))];
  // Rules that are there and wrong are said to be so already.
  if (all.some(({ level }) => level === 'error')) return all;
  const bare = await noMirrors(tree, rules, site, ruleFileOf(unit.runtime, facts));
  return [...all, ...table.judge(bare, 'registry rules')];
}

/** What no file shows alone: what the rules do to the images that are known. */
async function withImages({
  rules,
  tree,
  images,
  table,
  runtime,
}: {
  readonly rules: RuntimeRules;
  readonly tree: ConfigTree;
  readonly images: KnownImages;
  readonly table: FindingRules;
  readonly runtime: RuntimeName;
}): Promise<readonly Finding[]> {
  if (images.images.length === 0) return [];
  const noticed = await judgeImages(await rules.openNode(tree), images, runtime);
  return table.judge(noticed, 'registry rules');
}

/** A main configuration that is broken is worth an answer whatever was asked: nothing else counts then. */
function isWanted({ origin, about, level }: Finding, unit: LintUnit): boolean {
  if (origin.builtIn ? unit.isWholeNode : unit.isAskedFor(origin.file)) return true;
  return unit.isWholeNode && about === 'main configuration' && level === 'error';
}

function describe(
  { finding, levels }: MergedFinding,
  unit: LintUnit,
  { spans }: LintQuestion,
): LintFinding {
  const { mend, isForNewer, ...rest } = finding;
  const only = describeSpans(spans, new Set(levels.keys()));
  return {
    ...rest,
    runtime: unit.runtime,
    level: isForNewer && !levels.has(newestOf(spans)) ? 'info' : levelAmong(spans, levels),
    file: shownFile(finding.origin, unit),
    ...(only !== undefined && { onlyOn: `${unit.runtime} ${only}` }),
    ...(mend !== undefined && isPossible(mend, unit) && { mend }),
  };
}

/** The worst one; what is wrong on nothing but early releases is a note. */
function levelAmong(
  spans: readonly ReleaseSpan[],
  levels: ReadonlyMap<string, FindingLevel>,
): FindingLevel {
  const counted = spans.flatMap(({ like, isEarly }) => (isEarly ? [] : (levels.get(like) ?? [])));
  return (['error', 'warn'] as const).find((level) => counted.includes(level)) ?? 'info';
}

function shownFile(origin: Origin, { shownAs }: LintUnit): string {
  return origin.builtIn ? formatOrigin(origin) : (shownAs(origin.file) ?? origin.file);
}

function isPossible(mend: Mend, unit: LintUnit): boolean {
  if (!unit.isAskedFor(mend.path) || unit.writePath(mend.path) === undefined) return false;
  return mend.kind === 'edit' || unit.writePath(mend.to) !== undefined;
}
