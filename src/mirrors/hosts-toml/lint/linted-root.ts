/** Everything below one directory of config_path. */

import type { ConfigTree, TreeName } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Noticed } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import { isInsideSite } from '../../inside-site.ts';
import { verifiedMends } from '../../mends/verified-mends.ts';
import { EVERY_OTHER, UNLISTED } from '../../mirror-rule.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import { DEFAULT_DIRECTORY, directoryNames } from '../host-directory.ts';
import { readRulesIn } from '../registry-rules.ts';
import { failures } from './failures.ts';
import { registryOfFolder } from './folder-name.ts';
import { type LintedFolder, lintFolder, mirrorLosses } from './linted-folder.ts';

/** The roots of a node, in the order in which containerd looks into them. */
export interface LintedRoots {
  readonly tree: ConfigTree;
  readonly roots: readonly string[];
  readonly behaviour: ContainerdBehaviour;
  readonly site: LintedSite;
}

interface Root {
  readonly path: string;
  readonly names: readonly TreeName[];
}

/** All findings in all roots. */
export async function lintRoots(linted: LintedRoots): Promise<readonly Noticed[]> {
  const { tree, roots, behaviour } = linted;
  const listed = roots.map(async (path): Promise<Root> => ({ path, names: await tree.list(path) }));
  const all = await Promise.all(listed);
  const fallback = defaultFolderIn(all, behaviour);
  const found = all.map(async (root, at) => {
    const before = all.slice(0, at);
    const folders = root.names.filter(({ name, isFolder }) => isFolder && !name.startsWith('.'));
    const inside = folders.map(async ({ name }) => [
      ...(await lintVerified(linted, root, name, fallback)),
      ...neverUsed(name, root, before, behaviour),
    ]);
    return [...(await plainFiles(linted, root)), ...(await Promise.all(inside)).flat()];
  });
  return [...(await Promise.all(found)).flat(), ...withoutDefault(linted, all)];
}

async function lintVerified(
  { tree, behaviour, site }: LintedRoots,
  { path: root, names: siblings }: Root,
  name: string,
  defaultFolder: string | undefined,
): Promise<readonly Noticed[]> {
  const folder: LintedFolder = {
    tree,
    root,
    name,
    siblings,
    behaviour,
    site,
    ...(defaultFolder && { defaultFolder }),
  };
  const lint = async (changed: ConfigTree): Promise<readonly Noticed[]> => {
    const at = { ...folder, tree: changed };
    const own = await lintFolder(at);
    // What _default says counts in the other folders too.
    if (name !== DEFAULT_DIRECTORY) return own;
    return [...own, ...(await mirrorLosses(at, joinPath(root, name)))];
  };
  const found = await lintFolder(folder);
  const checked = await verifiedMends(await lint(tree), tree, lint);
  // A folder that is renamed is judged as what it becomes already.
  const isRenamed = (one: Noticed) => one.rule === 'C015' || one.mend === undefined;
  return found.map((one, at) => (isRenamed(one) ? one : (checked[at] ?? one)));
}

function defaultFolderIn(roots: readonly Root[], behaviour: ContainerdBehaviour) {
  if (!behaviour.has('default-directory')) return undefined;
  const root = roots.find(({ names }) => names.some(({ name }) => name === DEFAULT_DIRECTORY));
  return root === undefined ? undefined : joinPath(root.path, DEFAULT_DIRECTORY);
}

/** C001 and C028: rules straight in the root, and files in place of folders. */
async function plainFiles(
  { tree, behaviour, site }: LintedRoots,
  { path, names }: Root,
): Promise<readonly Noticed[]> {
  const files = names.filter(({ name, isFolder }) => !isFolder && !name.startsWith('.'));
  const found = files.map(async ({ name }): Promise<readonly Noticed[]> => {
    const file = joinPath(path, name);
    // A root may be the folder of containerd's own configuration.
    if (name === 'config.toml') return [];
    if (/\.(?:toml|tml|ya?ml)$/i.test(name)) {
      const message = `${name} is never read here: containerd looks for rules in folders that are named after registries`;
      const fix = `Move it to ${path}/REGISTRY/hosts.toml, such as ${path}/docker.io/hosts.toml.`;
      return [{ rule: 'C001', origin: { file }, message, fix }];
    }
    const registry = registryOfFolder(name);
    if (!isForRegistry(name) && site.registries?.includes(registry) !== true) return [];
    const directory = { kind: 'found', path: file, isDefault: false, isFile: true } as const;
    const rules = await readRulesIn(directory, { tree, registry, behaviour });
    const about = registry === UNLISTED ? EVERY_OTHER : registry;
    const failing = failures({ registry, rules, others: [], behaviour });
    return failing.map((one) => ({ registry: about, ...one }));
  });
  return (await Promise.all(found)).flat();
}

/** Certificates and notes may lie in a root, and their names look like those of hosts too. */
function isForRegistry(name: string): boolean {
  if (/\.(?:pem|crt|cer|cert|key|bak|before-slipway|md|txt)$/i.test(name)) return false;
  return name === DEFAULT_DIRECTORY || /^[\w-]+(?:\.[\w-]+)+(?:_\d+_|:\d+)?$/.test(name);
}

/** C037: a folder behind another one that is found first. */
function neverUsed(
  name: string,
  { path, names }: Root,
  before: readonly Root[],
  behaviour: ContainerdBehaviour,
): readonly Noticed[] {
  const candidates = directoryNames(registryOfFolder(name), behaviour);
  const origin = { file: joinPath(path, name) };
  const fix = 'Keep one of the two.';
  for (const root of before) {
    const first = candidates.find((wanted) => root.names.some((one) => one.name === wanted));
    if (first === undefined) continue;
    const message = `the folder is never used: ${joinPath(root.path, first)} is found before it`;
    // Of two folders for one registry one is read; behind _default none is.
    const level = first === name ? 'warn' : 'error';
    return [{ rule: 'C037', level, origin, message, fix }];
  }
  const at = candidates.indexOf(name);
  const twin = candidates.slice(0, at).find((wanted) => names.some((one) => one.name === wanted));
  if (at < 0 || twin === undefined) return [];
  const message = `the folder is never used: ${twin} beside it is the same registry, and is found first`;
  return [{ rule: 'C037', level: 'info', origin, message, fix }];
}

/** Offline, every registry without a folder of its own is asked itself, unless `_default` says otherwise. */
function withoutDefault(
  { site, behaviour }: LintedRoots,
  roots: readonly Root[],
): readonly Noticed[] {
  const [first] = roots.filter(({ names }) => names.some(({ isFolder }) => isFolder));
  if (site.mode !== 'offline' || first === undefined) return [];
  if (defaultFolderIn(roots, behaviour) !== undefined) return [];
  const names = new Set(
    roots.flatMap((root) => root.names.map(({ name }) => registryOfFolder(name))),
  );
  // Those of the site are reached without a folder too, and do not say what else is needed.
  const needed = site.registries?.filter((registry) => !isInsideSite(site, registry)) ?? [];
  if (needed.length > 0 && needed.every((registry) => names.has(registry))) return [];
  const message = `there is no ${DEFAULT_DIRECTORY}: a registry without a folder of its own is asked itself, outside of the site`;
  const fix = behaviour.has('default-directory')
    ? `Write ${joinPath(first.path, DEFAULT_DIRECTORY, 'hosts.toml')} with the last mirror as server.`
    : `Write a folder for each registry: containerd ${behaviour.version} does not know ${DEFAULT_DIRECTORY}.`;
  const origin = { file: first.path };
  return [{ rule: 'C005', registry: EVERY_OTHER, level: 'error', origin, message, fix }];
}
