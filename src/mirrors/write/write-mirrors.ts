import type { Run } from '../../shared/run.ts';
import type { RuntimeId } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { directoryTree } from '../directory-tree.ts';
import { MirrorFileForeign, MirrorPathUnusable, MirrorReadbackFailed } from '../errors.ts';
import type { MirrorRule } from '../mirror-rule.ts';
import { openRuntime } from '../open-runtime.ts';
import { overlayTree } from '../overlay-tree.ts';
import type { Reload, RuntimeRules } from '../runtime-rules.ts';
import { applyActions } from './apply-actions.ts';
import { findFiles } from './found-files.ts';
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
  /** What makes the runtime take the changed files, each once; empty when it needs nothing (R0-31). */
  readonly reloads: readonly Reload[];
  /** What every report must say, such as certificates that are not checked (R0-87). */
  readonly warnings: readonly string[];
}

/**
 * Writes the rules into the node's files, so that its runtime pulls from where they say.
 *
 * The result is read back as the runtime reads it, before anything is written and again from disk.
 * A second run changes nothing. Rejects with MIRROR_FILE_FOREIGN, MIRROR_READBACK_FAILED,
 * MIRROR_CONFIG_BROKEN, MIRROR_CONFIG_NOT_EDITABLE, MIRROR_RULE_NOT_WRITABLE, MIRROR_PATH_UNUSABLE, MIRROR_RUNTIME_UNKNOWN.
 */
export async function writeMirrors(request: MirrorsRequest, run: Run): Promise<MirrorsReport> {
  const runtime = await openRuntime(request.runtime);
  const tree = directoryTree(request.root);
  const actions = await plan(tree, request, runtime);
  const planned = overlayTree(tree, changesOf(actions));
  await check(planned, request, runtime, 'before writing');
  run.signal.throwIfAborted();
  if (!request.dryRun) {
    await applyActions(request.root, actions);
    await check(directoryTree(request.root), request, runtime, 'after writing');
  }
  return {
    actions,
    reloads: reloadsFor(actions, runtime),
    warnings: [...runtime.notes, ...warningsFor(request.rules)],
  };
}

function reloadsFor(actions: readonly WriteAction[], runtime: RuntimeRules): readonly Reload[] {
  const changed = actions.filter((action) => action.do !== 'keep');
  const found = changed.flatMap(({ path }) => runtime.reloadFor(path) ?? []);
  return [...new Map(found.map((reload) => [reload.command, reload])).values()];
}

async function plan(
  tree: ConfigTree,
  { root, rules, sandboxImage, replaceForeign }: MirrorsRequest,
  runtime: RuntimeRules,
): Promise<readonly WriteAction[]> {
  const compiled = await runtime.compile(tree, rules, sandboxImage);
  const found = await findFiles(root, tree, compiled);
  const { actions, foreign, edited, blocked } = planWrite(compiled.wanted, found, {
    replaceForeign,
  });
  if (blocked.length > 0) {
    throw new MirrorPathUnusable({ when: 'before writing', places: blocked });
  }
  const [first, second] = [...foreign, ...edited];
  if (first !== undefined) {
    const { insert } = compiled;
    const lines = second === undefined && first === insert?.path ? insert.lines : undefined;
    const more = lines === undefined ? {} : { insert: lines };
    throw new MirrorFileForeign({ files: foreign, edited, ...more });
  }
  const settled = compiled.settled.map(
    ({ path, because }) => ({ do: 'keep', path, because }) as const,
  );
  return [...actions, ...settled];
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
