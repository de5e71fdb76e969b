import type { Run } from '../../shared/run.ts';
import type { RuntimeId } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { behaviourFor, type ContainerdBehaviour } from '../containerd/behaviour.ts';
import { newerVersionNote } from '../containerd/config-findings.ts';
import { openContainerdNode } from '../containerd/containerd-node.ts';
import { MAIN_CONFIG } from '../containerd/main-config.ts';
import { directoryTree } from '../directory-tree.ts';
import { MirrorFileForeign, MirrorPathUnusable, MirrorReadbackFailed } from '../errors.ts';
import type { MirrorRule } from '../mirror-rule.ts';
import { overlayTree } from '../overlay-tree.ts';
import { applyActions } from './apply-actions.ts';
import { CERTS_D, certsDirectory } from './certs-d.ts';
import { findFiles } from './find-files.ts';
import { planMainConfig } from './main-config-file.ts';
import { planWrite, type WriteAction } from './plan-write.ts';
import { readBack } from './read-back.ts';

/** What shall be written for one node. */
export interface MirrorsRequest {
  /** The folder that holds the node's root; `/` on the node itself. */
  readonly root: string;
  readonly runtime: RuntimeId;
  readonly rules: readonly MirrorRule[];
  /** The image in which pods wait, if the configuration shall name it. */
  readonly sandboxImage?: string;
  /** True to replace files that somebody else wrote, keeping a copy of each. */
  readonly replaceForeign: boolean;
  /** True to plan and check only. */
  readonly dryRun: boolean;
}

/** What was done, or would be. */
export interface MirrorsReport {
  readonly actions: readonly WriteAction[];
  /** True when containerd must be restarted before the rules count. */
  readonly needsRestart: boolean;
  /** What every report must say, such as certificates that are not checked (R0-87). */
  readonly warnings: readonly string[];
}

/**
 * Writes the rules into the node's files, so that its runtime pulls from where they say.
 *
 * The result is read back as the runtime reads it, before anything is written and again from disk.
 * A second run changes nothing. Rejects with MIRROR_FILE_FOREIGN, MIRROR_READBACK_FAILED,
 * MIRROR_CONFIG_BROKEN, MIRROR_RULE_NOT_WRITABLE, MIRROR_PATH_UNUSABLE, MIRROR_RUNTIME_UNKNOWN.
 */
export async function writeMirrors(request: MirrorsRequest, run: Run): Promise<MirrorsReport> {
  const behaviour = await behaviourFor(request.runtime);
  const tree = directoryTree(request.root);
  const actions = await plan(tree, request, behaviour);
  const planned = overlayTree(tree, changesOf(actions));
  await check(planned, request, behaviour, 'before writing');
  run.signal.throwIfAborted();
  if (!request.dryRun) {
    await applyActions(request.root, actions);
    await check(directoryTree(request.root), request, behaviour, 'after writing');
  }
  return {
    actions,
    needsRestart: actions.some(isConfigChange),
    warnings: warningsFor(request.rules, behaviour),
  };
}

async function plan(
  tree: ConfigTree,
  { root, rules, sandboxImage, replaceForeign }: MirrorsRequest,
  behaviour: ContainerdBehaviour,
): Promise<readonly WriteAction[]> {
  const files = certsDirectory(rules, behaviour);
  const main = await planMainConfig(tree, behaviour, sandboxImage);
  const wanted = main.kind === 'keep' ? files : [...files, main.file];
  const found = await findFiles(root, tree, wanted);
  const { actions, foreign, blocked } = planWrite(wanted, found, { replaceForeign });
  if (blocked.length > 0) {
    throw new MirrorPathUnusable({ when: 'before writing', places: blocked });
  }
  if (foreign.length > 0) {
    const insert = main.kind === 'edit' && foreign.length === 1 && foreign[0] === main.file.path;
    throw new MirrorFileForeign({ files: foreign, ...(insert ? { insert: main.insert } : {}) });
  }
  return main.kind === 'keep'
    ? [...actions, { do: 'keep', path: main.path, because: main.because }]
    : actions;
}

function changesOf(actions: readonly WriteAction[]): ReadonlyMap<string, string | undefined> {
  return new Map(
    actions.flatMap((action): [string, string | undefined][] => {
      if (action.do === 'keep') return [];
      return [[action.path, action.do === 'remove' ? undefined : action.content]];
    }),
  );
}

async function check(
  tree: ConfigTree,
  { rules, sandboxImage }: MirrorsRequest,
  behaviour: ContainerdBehaviour,
  when: 'before writing' | 'after writing',
): Promise<void> {
  const node = await openContainerdNode(tree, behaviour);
  const problems = await readBack(node, rules, sandboxImage);
  if (problems.length > 0) throw new MirrorReadbackFailed({ when, problems });
}

/** hosts.toml is read at every pull; everything outside of the host directories needs a restart. */
function isConfigChange(action: WriteAction): boolean {
  return (
    action.do !== 'keep' && (action.path === MAIN_CONFIG || !action.path.startsWith(`${CERTS_D}/`))
  );
}

function warningsFor(
  rules: readonly MirrorRule[],
  behaviour: ContainerdBehaviour,
): readonly string[] {
  const newer = newerVersionNote(behaviour);
  const targets = rules.flatMap((rule) => rule.targets);
  const unchecked = targets.filter(({ skipVerify }) => skipVerify === true);
  const plain = targets.filter(({ scheme }) => scheme === 'http');
  return [
    ...(newer === undefined ? [] : [newer]),
    ...unique(unchecked).map(
      (host) => `${host} is not verified: anybody who answers at its address is believed (R0-87)`,
    ),
    ...unique(plain).map(
      (host) => `${host} is asked over plain HTTP: what it sends can be changed on the way`,
    ),
  ];
}

function unique(targets: readonly { readonly host: string }[]): readonly string[] {
  return [...new Set(targets.map(({ host }) => host))];
}
