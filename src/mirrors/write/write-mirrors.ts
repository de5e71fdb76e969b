import type { Run } from '../../shared/run.ts';
import type { RuntimeId } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { directoryTree } from '../directory-tree.ts';
import { MirrorReadbackFailed } from '../errors.ts';
import type { MirrorRule } from '../mirror-rule.ts';
import { openRuntime } from '../open-runtime.ts';
import { overlayTree } from '../overlay-tree.ts';
import type { Reload, RuntimeRules } from '../runtime-rules.ts';
import { applyActions } from './apply-actions.ts';
import { isInterrupted, undoInterrupted } from './change-node.ts';
import { expressibleRules } from './expressible-rules.ts';
import { isSameContent, stateOf } from './file-changes.ts';
import type { NodeDisk } from './node-disk.ts';
import { type NodeLock, whileLocked } from './node-lock.ts';
import { recordChange } from './node-record.ts';
import { isForOthers, type NodePlan, planNode } from './plan-node.ts';
import type { WriteAction } from './plan-write.ts';
import { readBack } from './read-back.ts';

/** What shall be written for one node. */
export interface MirrorsRequest {
  /** The folder that holds the node's root; `/` on the node itself. */
  readonly root: string;
  readonly runtime: RuntimeId;
  /** None: everything that was written goes, and the runtime is as it was before. */
  readonly rules: readonly MirrorRule[];
  /** The image in which pods wait, if the configuration shall name it. */
  readonly sandboxImage?: string;
  /** True to replace files that somebody else wrote, keeping a copy of each. */
  readonly replaceForeign: boolean;
  /** True to plan and check only. */
  readonly dryRun: boolean;
  /** Held by whoever decided the rules by what the node remembers; without it, it is taken here. */
  readonly lock?: NodeLock;
  /** What files are changed with, where no lock says it; tests kill there. */
  readonly disk?: NodeDisk;
}

/** What was done, or would be. */
export interface MirrorsReport {
  readonly actions: readonly WriteAction[];
  /** What makes the runtime take the changed files, each once; empty when it needs nothing (R0-31). */
  readonly reloads: readonly Reload[];
  /** What every report must say, such as certificates that are not checked (R0-87). */
  readonly warnings: readonly string[];
  /** What the runtime's version makes good to know. */
  readonly notes: readonly string[];
}

/**
 * Writes the rules into the node's files, so that its runtime pulls from where they say.
 *
 * The result is read back as the runtime reads it, before anything is written and again from disk. What
 * a kill cut off earlier is taken back first; the change itself can be undone (change-node.ts).
 * A second run changes nothing. Rejects with MIRROR_FILE_FOREIGN, MIRROR_READBACK_FAILED,
 * MIRROR_CONFIG_BROKEN, MIRROR_CONFIG_NOT_EDITABLE, MIRROR_RULE_NOT_WRITABLE, MIRROR_PATH_UNUSABLE,
 * MIRROR_RUNTIME_UNKNOWN, and MIRROR_NODE_BUSY while another run changes the node; a dry run needs no lock.
 */
export async function writeMirrors(asked: MirrorsRequest, run: Run): Promise<MirrorsReport> {
  const { root, dryRun, lock, disk } = asked;
  if (dryRun || lock !== undefined) return write(asked, run);
  return whileLocked(root, (taken) => write({ ...asked, lock: taken }, run), disk);
}

async function write(asked: MirrorsRequest, run: Run): Promise<MirrorsReport> {
  const runtime = await openRuntime(asked.runtime);
  const { root } = asked;
  const lock = asked.dryRun ? undefined : asked.lock;
  const dryRun = lock === undefined;
  const wasCutOff = dryRun ? await seemsInterrupted(root) : await undoInterrupted(lock);
  const tree = directoryTree(root);
  const { rules, warnings } = await expressibleRules(asked.rules, tree, runtime);
  const request = { ...asked, rules };
  const plan = await planNode(tree, request, runtime);
  const { actions } = plan;
  await check(overlayTree(tree, changesOf(actions)), request, runtime, 'before writing');
  run.signal.throwIfAborted();
  if (!dryRun) {
    await carryOut(lock, plan);
    await check(directoryTree(root), request, runtime, 'after writing');
  }
  return {
    actions,
    reloads: reloadsFor(actions, runtime),
    warnings: [
      ...(wasCutOff ? [dryRun ? cutOff : putBack] : []),
      ...warnings,
      ...warningsFor(request.rules),
    ],
    notes: runtime.notes,
  };
}

async function seemsInterrupted(root: string): Promise<boolean> {
  try {
    return await isInterrupted(root);
  } catch (error) {
    if (isForOthers(error)) return false;
    throw error;
  }
}

const cutOff =
  'an earlier run was cut off, and the node is between two states: the next run that writes puts it back first';
const putBack = 'an earlier run was cut off; what it had done was taken back first';

async function carryOut(
  lock: NodeLock,
  { actions, record, ownFolders, emptyFolders }: NodePlan,
): Promise<void> {
  const remembered = recordChange(record);
  const now = await stateOf(lock.root, remembered.path);
  const isKnown = isSameContent(now, remembered.after);
  const more = { record: isKnown ? [] : [remembered], ownFolders, emptyFolders };
  await applyActions(lock, actions, more);
}

function reloadsFor(actions: readonly WriteAction[], runtime: RuntimeRules): readonly Reload[] {
  const changed = actions.filter((action) => action.do !== 'keep');
  const found = changed.flatMap(
    (action) => runtime.reloadFor(action.path, action.do === 'remove') ?? [],
  );
  return [...new Map(found.map((reload) => [reload.command, reload])).values()];
}

function changesOf(actions: readonly WriteAction[]): ReadonlyMap<string, string | undefined> {
  return new Map(
    actions.flatMap((action): [string, string | undefined][] => {
      if (action.do === 'keep') return [];
      if (action.do === 'remove') return [[action.path, undefined]];
      if (action.do !== 'restore') return [[action.path, action.content]];
      return [
        [action.path, Buffer.from(action.bytes).toString('utf8')],
        [action.copy, undefined],
      ];
    }),
  );
}

async function check(
  tree: ConfigTree,
  { rules, sandboxImage }: MirrorsRequest,
  runtime: RuntimeRules,
  when: 'before writing' | 'after writing',
): Promise<void> {
  const problems = await readBack(await runtime.openNode(tree), rules, sandboxImage);
  if (problems.length > 0) throw new MirrorReadbackFailed({ when, problems });
}

function warningsFor(rules: readonly MirrorRule[]): readonly string[] {
  const targets = rules.flatMap((rule) => rule.targets);
  const unchecked = targets.filter(({ skipVerify }) => skipVerify === true);
  const plain = targets.filter(({ scheme }) => scheme === 'http');
  return [
    ...unique(unchecked).map(
      (host) => `${host} is not verified: anybody who answers at its address is believed`,
    ),
    ...unique(plain).map(
      (host) => `${host} is asked over plain HTTP: what it sends can be changed on the way`,
    ),
  ];
}

function unique(targets: readonly { readonly host: string }[]): readonly string[] {
  return [...new Set(targets.map(({ host }) => host))];
}
