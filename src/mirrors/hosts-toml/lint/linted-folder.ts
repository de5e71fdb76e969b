/** One folder below config_path with everything that is known around it. */

import type { ConfigTree, TreeName } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Mend, Noticed } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import { EVERY_OTHER, UNLISTED } from '../../mirror-rule.ts';
import { overlayTree } from '../../overlay-tree.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import { DEFAULT_DIRECTORY } from '../host-directory.ts';
import { readRulesIn } from '../registry-rules.ts';
import { defaultMirrors, withoutDefaultMirrors } from './default-folder.ts';
import { misspeltNames } from './file-names.ts';
import { folderNameFault, type NameFault, registryOfFolder } from './folder-name.ts';
import type { JudgedRules } from './judged.ts';
import { contentFindings, registryFindings } from './registry-findings.ts';

/** A folder to lint, and where it stands. */
export interface LintedFolder {
  readonly tree: ConfigTree;
  readonly root: string;
  readonly name: string;
  /** All names in the root. */
  readonly siblings: readonly TreeName[];
  /** The folder that containerd would take in its place, if there were not this one. */
  readonly defaultFolder?: string;
  readonly behaviour: ContainerdBehaviour;
  readonly site: LintedSite;
}

/** Everything that is wrong with the folder and the files in it, whether containerd looks there or not. */
export async function lintFolder(folder: LintedFolder): Promise<readonly Noticed[]> {
  const { tree, root, name, behaviour, site } = folder;
  const path = joinPath(root, name);
  const others = (await tree.list(path)).map((one) => one.name);
  // What is left of a folder that was renamed; containerd's own lookup is the only one that minds.
  const fault = others.length === 0 ? undefined : folderNameFault(name, behaviour, site.registries);
  const registry = registryOfFolder(fault?.meant ?? name);
  const judged = await judge(folder, { registry, others });
  const { content, mend } = await misspeltFile(folder, path, judged);
  const found = registryFindings(judged).map((one) =>
    one.rule === 'C001' && mend !== undefined ? { ...one, mend } : one,
  );
  const all: readonly Noticed[] = [
    ...(fault === undefined ? [] : [await wrongName(folder, path, fault)]),
    ...(fault === undefined ? found : found.filter(({ rule }) => rule !== 'C016')),
    ...content,
    ...(/^https?:$/i.test(name) ? [] : await nestedFolders(tree, path)),
    ...(fault === undefined || fault.meant ? await notRepeated(folder, judged) : []),
    ...missingPort(folder, path, judged),
  ];
  return all.map((one) => ({ ...registryFor(fault?.meant ?? name, fault), ...one }));
}

/** None where the name is that of no registry, and nobody knows which one was meant. */
function registryFor(name: string, fault: NameFault | undefined): Pick<Noticed, 'registry'> {
  if (fault !== undefined && fault.meant === undefined) return {};
  const registry = registryOfFolder(name);
  return { registry: registry === UNLISTED ? EVERY_OTHER : registry };
}

async function judge(
  { tree, root, name, behaviour, site }: LintedFolder,
  { registry, others }: Pick<JudgedRules, 'registry' | 'others'>,
): Promise<JudgedRules> {
  const isDefault = registry === UNLISTED;
  const directory = {
    kind: 'found',
    path: joinPath(root, name),
    isDefault,
    isFile: false,
  } as const;
  const rules = await readRulesIn(directory, { tree, registry, behaviour });
  return { registry, rules, others, behaviour, site };
}

async function wrongName(
  folder: LintedFolder,
  path: string,
  { meant, ...fault }: NameFault,
): Promise<Noticed> {
  const { tree, root, siblings } = folder;
  const found: Noticed = { rule: 'C015', origin: { file: path }, ...fault };
  if (meant === undefined || siblings.some(({ name }) => name === meant)) return found;
  const entry = await tree.read(joinPath(path, 'hosts.toml'));
  // Without the file the folder would switch _default off under its new name.
  if (entry.kind !== 'file') return found;
  // Certificates that it names by the folder's own path would be lost.
  if (Buffer.from(entry.bytes).includes(`${path}/`)) return found;
  if (meant === DEFAULT_DIRECTORY && (await mirrorLosses(folder, path)).length > 0) return found;
  return { ...found, mend: { kind: 'rename', path, to: joinPath(root, meant) } };
}

/** What the folders beside it lose when the one at `path` is `_default` (C017). */
export async function mirrorLosses(
  folder: LintedFolder,
  path: string,
): Promise<readonly Noticed[]> {
  const mirrors = await defaultMirrors(folder.tree, path, folder.behaviour);
  const others = folder.siblings.filter(({ name, isFolder }) => isFolder && name !== folder.name);
  const losses = others.map(async ({ name }) => {
    const registry = registryOfFolder(name);
    const judged = await judge({ ...folder, name }, { registry, others: [] });
    return withoutDefaultMirrors(judged, mirrors);
  });
  return (await Promise.all(losses)).flat();
}

interface Misspelt {
  readonly content: readonly Noticed[];
  readonly mend?: Mend;
}

/** What would be found in a `hosts.yaml` if it had the right name; and the mend that gives it to it. */
async function misspeltFile(
  folder: LintedFolder,
  path: string,
  { registry, others }: JudgedRules,
): Promise<Misspelt> {
  const [name, second] = misspeltNames(others);
  if (name === undefined || second !== undefined || others.includes('hosts.toml'))
    return { content: [] };
  const wrong = joinPath(path, name);
  const right = joinPath(path, 'hosts.toml');
  const entry = await folder.tree.read(wrong);
  if (entry.kind !== 'file') return { content: [] };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(entry.bytes);
  const tree = overlayTree(folder.tree, new Map([[right, text]]));
  const renamed = await judge({ ...folder, tree }, { registry, others: ['hosts.toml'] });
  const { hostsFile } = renamed.rules;
  if (hostsFile?.kind === 'discarded' && hostsFile.cause === 'syntax') return { content: [] };
  const content = contentFindings(renamed).map((one) => ({
    ...one,
    origin: one.origin.file === right ? { ...one.origin, file: wrong } : one.origin,
    ...(one.mend && { mend: { ...one.mend, path: wrong } }),
  }));
  return { content, mend: { kind: 'rename', path: wrong, to: right } };
}

const DEEPEST = 4;

/** `certs.d/docker.io/library/hosts.toml`: rules for a part of a registry, which nobody reads. */
async function nestedFolders(
  tree: ConfigTree,
  path: string,
  depth = 1,
): Promise<readonly Noticed[]> {
  const folders = (await tree.list(path)).filter(
    ({ isFolder, name }) => isFolder && name !== 'hosts.toml',
  );
  const found = folders.map(async ({ name }): Promise<readonly Noticed[]> => {
    const inner = joinPath(path, name);
    const file = joinPath(inner, 'hosts.toml');
    if ((await tree.read(file)).kind === 'file') {
      const message =
        'the folder is never looked for: rules hold for a whole registry, not for a path below it';
      const fix = 'Put the rules into the folder of the registry.';
      return [{ rule: 'C015', origin: { file }, message, fix }];
    }
    return depth < DEEPEST ? nestedFolders(tree, inner, depth + 1) : [];
  });
  return (await Promise.all(found)).flat();
}

async function notRepeated(folder: LintedFolder, judged: JudgedRules): Promise<readonly Noticed[]> {
  const { defaultFolder, tree, behaviour } = folder;
  if (defaultFolder === undefined || judged.registry === UNLISTED) return [];
  return withoutDefaultMirrors(judged, await defaultMirrors(tree, defaultFolder, behaviour));
}

/** A folder for a registry whose images are all named with a port, or in capital letters. */
function missingPort(
  { name, siblings, site }: LintedFolder,
  path: string,
  { rules, registry }: JudgedRules,
): readonly Noticed[] {
  const origin = { file: path };
  const needed = site.registries ?? [];
  if (needed.includes(registry)) return [];
  const hasFolder = (wanted: string) =>
    siblings.some((one) => one.isFolder && registryOfFolder(one.name) === wanted);
  const lacking = needed.filter((wanted) => !hasFolder(wanted));
  const withPort = lacking.find((wanted) => wanted.startsWith(`${registry}:`));
  if (withPort !== undefined) {
    const message = `images are named ${withPort}/…, and a folder without the port is not found for them`;
    const fix = `Name it ${folderFor(withPort)}.`;
    return [{ rule: 'C015', registry: withPort, origin, message, fix }];
  }
  const otherCase = lacking.find((wanted) => wanted.toLowerCase() === name.toLowerCase());
  if (otherCase !== undefined) {
    const message = `images are named ${otherCase}/…, and names are compared letter by letter`;
    const fix = `Write the names of the images in lower case, or name the folder ${folderFor(otherCase)} too.`;
    return [{ rule: 'C015', registry: otherCase, level: 'warn', origin, message, fix }];
  }
  const server = rules.planned.at(-1)?.host ?? '';
  const hasOwnPort = server.startsWith(`${registry}:`) && !/:(?:443|80)$/.test(server);
  if (!hasOwnPort || hasFolder(server) || rules.hostsFile === undefined) return [];
  const message = `the server is ${server}, and the folder is not found for images that are named with the port`;
  const fix = `If images are named ${server}/…, name the folder ${folderFor(server)}.`;
  return [{ rule: 'C015', level: 'warn', origin, message, fix }];
}

function folderFor(registry: string): string {
  return registry.replace(/^(.+):(\d+)$/, '$1_$2_');
}
