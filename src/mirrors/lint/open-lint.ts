/** From what the user named to the jobs that are done about it. */

import type { RuntimeId, RuntimeName } from '../../site/runtime-id.ts';
import { runtimeNames } from '../../site/runtime-id.ts';
import { directoryTree } from '../directory-tree.ts';
import { MirrorLintUnrecognised, MirrorRuntimeUnknown } from '../errors.ts';
import { type FileFacts, loadFileFacts } from '../files/file-facts.ts';
import { runtimesOn } from '../files/node-runtimes.ts';
import type { FindingRules } from '../finding-rules.ts';
import type { KnownImages } from '../images/known-images.ts';
import { nameJudge } from '../images/known-names.ts';
import { scriptFindings } from '../images/script-findings.ts';
import { lintNames, type NameJudge } from '../names/lint-names.ts';
import { loadReleases, namedSpan, type ReleaseSpan, type Releases } from '../release-spans.ts';
import type { LintedSite, RuntimeRules } from '../runtime-rules.ts';
import { type OpenRuntime, rememberRuntimes } from './judge/lint-unit-findings.ts';
import type { LintJob } from './lint-job.ts';
import { plainFileJob } from './plain-file-job.ts';
import { unitJob } from './unit-job.ts';
import { gatherPath } from './units/gather-files.ts';
import type { LintUnit } from './units/lint-unit.ts';
import { withListed, withRegistries } from './units/listed-images.ts';
import { makeUnits, type PlainFile, type UnreadPath } from './units/make-units.ts';
import { nodeUnit } from './units/node-unit.ts';

/** A path as it was typed, and as an absolute one. */
export interface TypedPath {
  readonly shown: string;
  readonly real: string;
}

/** What shall be linted. */
export interface LintRequest {
  /** Files and folders. */
  readonly paths: readonly TypedPath[];
  /** The root of a node, which is linted as a whole. */
  readonly root?: TypedPath;
  /** The runtime of that node by its own record; what was named, or what a Site says, comes first. */
  readonly remembered?: RuntimeId;
  /** The runtime that the user named, with or without a version. */
  readonly runtime?: RuntimeId;
  /** Runtimes with versions that a Site names: of these only their versions count. */
  readonly known: readonly RuntimeId[];
  readonly site: LintedSite;
  /** The table of all rules. */
  readonly rules: FindingRules;
  /** The images of a Lock; those of lists and manifests that are linted come to them. */
  readonly images?: KnownImages;
  /** A certificate with its key, in place of those that files name and nobody handed over. */
  pem(): Promise<string>;
}

/**
 * Reads what was named and says how it is linted. Rejects with DOCUMENT_UNREADABLE, MIRROR_LINT_TOO_LARGE,
 * MIRROR_RUNTIME_UNKNOWN, and MIRROR_LINT_UNRECOGNISED for a path in which there is nothing to lint.
 */
export async function openLint(request: LintRequest): Promise<readonly LintJob[]> {
  const facts = await loadFileFacts();
  const gathered = [];
  for (const { shown, real } of request.paths) gathered.push(await gatherPath(shown, real, facts));
  const open = rememberRuntimes(request.rules);
  const releases = await loadReleases();
  const readers = await openReaders(request.runtime, open, releases);
  const { rules } = request;
  const typed = request.runtime?.name;
  const plan = makeUnits(gathered, { readers, typed, facts, pem: request.pem });
  refuseUnrecognised(plan.unrecognised, typed);
  const images = withListed(plan.plainFiles, request.images);
  const site = withRegistries(request.site, images);
  const units = [...(await unitsOfNode(request, facts)), ...plan.units];
  const jobs: LintJob[] = [];
  for (const unit of units) {
    const spans = await spansFor(unit, request, releases);
    jobs.push(unitJob(unit, { spans, site, open, images, rules, facts }));
  }
  const names = nameJudge(images);
  return [...jobs, ...plan.plainFiles.map((one) => plainJob(one, { typed, names, rules }))];
}

interface PlainQuestion {
  readonly typed: RuntimeName | undefined;
  readonly names: NameJudge;
  readonly rules: FindingRules;
}

function plainJob({ kind, file }: PlainFile, { typed, names, rules }: PlainQuestion): LintJob {
  return plainFileJob(file, (text, path) => {
    const noticed =
      kind === 'script'
        ? scriptFindings(path, text)
        : lintNames({ kind, file: path, text }, typed, names);
    return rules.judge(noticed, 'registry rules');
  });
}

function refuseUnrecognised(paths: readonly UnreadPath[], typed: RuntimeName | undefined): void {
  if (paths.length === 0) return;
  const files = paths.map(({ shown }) => shown);
  const readers = [...new Set(paths.flatMap((path) => path.readers))];
  const reader = typed === undefined ? 'no container runtime reads' : `${typed} reads none of`;
  const whose = readers.length === 0 ? '' : `; it is configuration of ${readers.join(' and ')}`;
  throw new MirrorLintUnrecognised({ files, because: `${reader} what is there${whose}`, readers });
}

async function unitsOfNode(
  { root, runtime, remembered }: LintRequest,
  facts: FileFacts,
): Promise<readonly LintUnit[]> {
  if (root === undefined) return [];
  const found = await runtimesOn(directoryTree(root.real), facts);
  const names = runtime === undefined ? withRemembered(found, remembered) : [runtime.name];
  if (names.length === 0) {
    const because =
      'no container runtime is set up below it (nothing in /etc/containerd and its like)';
    throw new MirrorLintUnrecognised({ files: [root.shown], because, readers: [], isRoot: true });
  }
  return names.map((name) => nodeUnit({ runtime: name, root: root.real, shownRoot: root.shown }));
}

/** CRI-O and podman read the same files: those tell not which of the two it is. */
const alike: ReadonlySet<RuntimeName> = new Set(['cri-o', 'podman']);

function withRemembered(
  found: readonly RuntimeName[],
  remembered: RuntimeId | undefined,
): readonly RuntimeName[] {
  if (remembered === undefined) return found;
  const { name } = remembered;
  const isOther = (one: RuntimeName) => one !== name && !(alike.has(one) && alike.has(name));
  return [name, ...found.filter(isOther)];
}

/** One version of each runtime that is known; a runtime that the user named must be. */
async function openReaders(
  typed: RuntimeId | undefined,
  open: OpenRuntime,
  releases: Releases,
): Promise<ReadonlyMap<RuntimeName, RuntimeRules>> {
  if (typed !== undefined) {
    const { name, version = releases.newestOf(name) } = typed;
    return new Map([[name, await open({ name, version })]]);
  }
  const readers = new Map<RuntimeName, RuntimeRules>();
  for (const name of runtimeNames) {
    const rules = await openIfKnown({ name, version: releases.newestOf(name) }, open);
    if (rules !== undefined) readers.set(name, rules);
  }
  return readers;
}

async function openIfKnown(
  runtime: RuntimeId,
  open: OpenRuntime,
): Promise<RuntimeRules | undefined> {
  try {
    return await open(runtime);
  } catch (error) {
    if (error instanceof MirrorRuntimeUnknown) return undefined;
    throw error;
  }
}

/** What was typed, else what the Site says about this runtime, else what the node remembers, else every release. */
async function spansFor(
  { runtime: name, isWholeNode }: LintUnit,
  { runtime, known, remembered }: LintRequest,
  releases: Releases,
): Promise<readonly ReleaseSpan[]> {
  const said = [...(runtime === undefined ? [] : [runtime]), ...known];
  const versions = said.flatMap((id) => (id.name === name ? (id.version ?? []) : []));
  const [first] = versions;
  if (runtime?.version !== undefined && first !== undefined) return [namedSpan(first)];
  if (versions.length > 0) return [...new Set(versions)].map(namedSpan);
  const ofNode = isWholeNode && runtime === undefined && remembered?.name === name;
  if (ofNode && remembered.version !== undefined) return [namedSpan(remembered.version)];
  return releases.spansOf(name);
}
