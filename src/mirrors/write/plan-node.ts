/** Reads a node and decides everything that a set of rules changes on it; writes nothing. */

import { dirname } from 'node:path';
import { digestOf } from '../../oci/digest.ts';
import { formatRuntimeId } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { MirrorFileForeign, MirrorLoginForgotten, MirrorPathUnusable } from '../errors.ts';
import { overlayTree } from '../overlay-tree.ts';
import { authorOf } from '../own-text.ts';
import type { CompiledRules, RuntimeRules } from '../runtime-rules.ts';
import { foldersToMake } from './change-node.ts';
import { MirrorRecordBroken } from './errors.ts';
import { type FoundFiles, findFiles } from './found-files.ts';
import { STATE_FOLDER } from './last-change.ts';
import { type NodeRecord, readNodeRecord, type WrittenFile, writtenFile } from './node-record.ts';
import { planOff } from './plan-off.ts';
import { planWrite, type WriteAction, type WritePlan } from './plan-write.ts';
import { rulesWithLogins } from './remembered-logins.ts';
import type { MirrorsRequest } from './write-mirrors.ts';

/** What is done to a node's files. */
export interface NodePlan {
  readonly actions: readonly WriteAction[];
  /** What the node remembers afterwards; undefined when nothing of ours is left. */
  readonly record: NodeRecord | undefined;
  /** Folders that we made, for files that are there or go. */
  readonly ownFolders: readonly string[];
  /** Those that nobody needs any more, from the bottom up. */
  readonly emptyFolders: readonly string[];
}

/** Rejects with MIRROR_FILE_FOREIGN, MIRROR_PATH_UNUSABLE, MIRROR_RECORD_BROKEN, and what compiling does. */
export async function planNode(
  tree: ConfigTree,
  request: MirrorsRequest,
  runtime: RuntimeRules,
): Promise<NodePlan> {
  const record = await readNodeRecord(tree).catch((error: unknown) => {
    if (request.dryRun && isForOthers(error)) return undefined;
    throw error;
  });
  return request.rules.length === 0
    ? switchOff(tree, request, runtime, record)
    : compileRules(tree, request, runtime, record);
}

/** Who may not write the node may still ask what would be written. */
export function isForOthers(error: unknown): boolean {
  return error instanceof MirrorRecordBroken && error.data.fault === 'cannot be read';
}

async function compileRules(
  tree: ConfigTree,
  request: MirrorsRequest,
  runtime: RuntimeRules,
  before: NodeRecord | undefined,
): Promise<NodePlan> {
  const { root, rules, sandboxImage, replaceForeign } = request;
  const compiled = await runtime.compile(tree, rules, sandboxImage);
  const found = await findFiles(root, tree, compiled, before);
  const plan = planWrite(compiled.wanted, found, { replaceForeign });
  refuseObstacles(plan, compiled);
  const settled = compiled.settled.map(
    ({ path, because }) => ({ do: 'keep', path, because }) as const,
  );
  const actions = [...plan.actions, ...settled];
  const image = sandboxImage === undefined ? {} : { sandboxImage };
  const record = {
    runtime: formatRuntimeId(request.runtime),
    ...image,
    rules,
    files: writtenFiles(actions, compiled, found),
    folders: await madeFolders(root, actions, before),
  };
  return { actions, record, ownFolders: record.folders, emptyFolders: [] };
}

function refuseObstacles(
  { blocked, foreign, edited }: WritePlan,
  { insert }: Pick<CompiledRules, 'insert'>,
): void {
  if (blocked.length > 0) {
    throw new MirrorPathUnusable({ when: 'before writing', places: blocked });
  }
  const [first, second] = [...foreign, ...edited];
  if (first === undefined) return;
  const lines = second === undefined && first === insert?.path ? insert.lines : undefined;
  const more = lines === undefined ? {} : { insert: lines };
  throw new MirrorFileForeign({ files: foreign, edited, ...more });
}

/** Every wanted file, and those settled ones that we changed once. */
function writtenFiles(
  actions: readonly WriteAction[],
  { wanted }: CompiledRules,
  { written, files }: FoundFiles,
): readonly WrittenFile[] {
  const contents = new Map(wanted.map(({ path, content }) => [path, content]));
  return actions.flatMap((action) => {
    const known = written.get(action.path);
    const content = contents.get(action.path);
    if (content === undefined) return action.do === 'keep' && known !== undefined ? [known] : [];
    const isOthers = action.do === 'replace' || action.do === 'change';
    const copied = known === undefined && isOthers ? copiedFile(action, files) : known;
    return [writtenFile(action.path, content, copied)];
  });
}

function copiedFile(
  { path, backup }: { readonly path: string; readonly backup: string },
  files: FoundFiles['files'],
): Pick<WrittenFile, 'copy' | 'copyDigest'> {
  const stands = files.get(path)?.stands;
  return { copy: backup, ...(stands?.kind === 'file' && { copyDigest: digestOf(stands.bytes) }) };
}

async function madeFolders(
  root: string,
  actions: readonly WriteAction[],
  before: NodeRecord | undefined,
): Promise<readonly string[]> {
  const changes = actions
    .filter((action) => action.do !== 'keep' && action.do !== 'remove')
    .map(({ path }) => ({ path, after: { kind: 'file', bytes: Buffer.of() } as const }));
  const own = `${STATE_FOLDER}/`;
  const made = (await foldersToMake(root, changes)).filter((path) => !own.startsWith(`${path}/`));
  return [...new Set([...(before?.folders ?? []), ...made])].sort((a, b) => a.length - b.length);
}

async function switchOff(
  tree: ConfigTree,
  { root, replaceForeign }: MirrorsRequest,
  runtime: RuntimeRules,
  known: NodeRecord | undefined,
): Promise<NodePlan> {
  const record = known ?? (await recordByMarkers(tree, runtime));
  const none = { wanted: [], settled: [], existing: [] };
  const found = await findFiles(root, tree, none, record);
  const ours = await contentsAgain({ root, tree }, runtime, record, found);
  const plan = planOff(record, found, { replaceForeign, ours });
  refuseObstacles(plan, {});
  const emptyFolders = record.folders.toReversed();
  const ownFolders = record.folders;
  return { actions: plan.actions, record: undefined, ownFolders, emptyFolders };
}

/** A node that an older Slipway wrote: its files are told by their first line. */
async function recordByMarkers(tree: ConfigTree, runtime: RuntimeRules): Promise<NodeRecord> {
  const { existing, wanted } = await runtime.compile(tree, [], undefined);
  const files: WrittenFile[] = [];
  for (const path of new Set([...existing, ...wanted.map((file) => file.path)])) {
    const entry = await tree.read(path);
    if (entry.kind !== 'file' || authorOf(entry.bytes) === 'somebody-else') continue;
    files.push({ path, digest: '' });
  }
  const folders = [...new Set(files.map(({ path }) => dirname(path)))];
  return { runtime: '', rules: [], files, folders };
}

/** What we wrote into files of others, made again from what they were; only where it is the same. */
async function contentsAgain(
  { root, tree }: { readonly root: string; readonly tree: ConfigTree },
  runtime: RuntimeRules,
  record: NodeRecord,
  { before }: FoundFiles,
): Promise<ReadonlyMap<string, string>> {
  const { files, sandboxImage } = record;
  const texts = new Map<string, string | undefined>(files.map(({ path }) => [path, undefined]));
  for (const [path, old] of before) {
    if (old.kind === 'file') texts.set(path, Buffer.from(old.bytes).toString('utf8'));
  }
  if (before.size === 0) return new Map();
  const { runtime: wroteFor, rules: known } = record;
  const rules = await rulesWithLogins(tree, wroteFor, known, root).catch(noneIfForgotten);
  if (rules === undefined) return new Map();
  const { wanted } = await runtime.compile(overlayTree(tree, texts), rules, sandboxImage);
  const isSame = (path: string, content: string) =>
    files.some((file) => file.digest === writtenFile(path, content).digest);
  return new Map(
    wanted.flatMap(({ path, content }) => (isSame(path, content) ? [[path, content]] : [])),
  );
}

/** Without the login nobody can say which lines were ours, so that a person must. */
function noneIfForgotten(error: unknown): undefined {
  if (!(error instanceof MirrorLoginForgotten)) throw error;
}
