/** What the main configuration of a node must say so that the host directories are read. */

import type { ConfigTree } from '../../config-tree.ts';
import { MirrorConfigBroken } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { authorOf, ownText, type WantedFile } from '../../write/wanted-file.ts';
import type { ContainerdBehaviour } from '../behaviour.ts';
import { loadConfigFiles, newestConfigVersion, placeOf, textsOf } from '../config-files.ts';
import { MAIN_CONFIG, readMainConfig } from '../main-config.ts';
import { CERTS_D } from './certs-d.ts';
import { refuseBytes, refuseForm } from './edit-limits.ts';
import { withoutRivals } from './rivals.ts';
import { describeEdit, editToml, renderSettings, type TomlSetting } from './toml-edit.ts';

/**
 * - `keep`: the configuration says it already, wherever
 * - `write`: a file of our own: the main file where there is none, or a drop-in that it imports
 * - `edit`: a main file of somebody else; `insert` is what a person would do to it
 */
export type MainConfigStep =
  | { readonly kind: 'keep'; readonly path: string; readonly because: string }
  | { readonly kind: 'write'; readonly file: WantedFile }
  | { readonly kind: 'edit'; readonly file: WantedFile; readonly insert: string };

const DROP_IN = '90-slipway.toml';

/** Decides the step. A drop-in is used from 2.0 on only: before, it would replace CRI's whole section. */
export async function planMainConfig(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  sandboxImage: string | undefined,
): Promise<MainConfigStep> {
  const existing = await tree.read(MAIN_CONFIG);
  const own = ownVersion(behaviour);
  if (existing.kind !== 'file' || authorOf(existing.bytes) === 'slipway') {
    return writeStep(MAIN_CONFIG, own, settingsFor(own, behaviour, sandboxImage));
  }
  const text = Buffer.from(existing.bytes).toString('utf8');
  const rivals = withoutRivals(text, behaviour);
  if (rivals.lines.length > 0) {
    const mended = overlayTree(tree, new Map([[MAIN_CONFIG, rivals.text]]));
    await refuseBroken(mended, behaviour);
    const settings = settingsFor(await rootVersion(mended, behaviour), behaviour, sandboxImage);
    return editStep(existing.bytes, settings, rivals);
  }
  await refuseBroken(tree, behaviour);
  const dropIn = await dropInPath(tree, behaviour);
  const isDropInOurs = dropIn !== undefined && (await tree.read(dropIn)).kind === 'file';
  if (!isDropInOurs && (await isInForce(tree, behaviour, sandboxImage))) {
    return { kind: 'keep', path: MAIN_CONFIG, because: `it names ${CERTS_D} as the one directory` };
  }
  const version = await rootVersion(tree, behaviour);
  if (dropIn !== undefined) {
    const dropInVersion = Math.min(version, own);
    return writeStep(dropIn, dropInVersion, settingsFor(dropInVersion, behaviour, sandboxImage));
  }
  const settings = settingsFor(version, behaviour, sandboxImage);
  return editStep(existing.bytes, settings, { text, lines: [] });
}

/** Changes the file of somebody else; the lines that `rivals` took away stay as comments. */
function editStep(
  bytes: Uint8Array,
  settings: readonly TomlSetting[],
  rivals: ReturnType<typeof withoutRivals>,
): MainConfigStep {
  refuseBytes(MAIN_CONFIG, bytes, settings);
  refuseForm(MAIN_CONFIG, rivals.text, settings);
  const text = Buffer.from(bytes).toString('utf8');
  const rest = 'every other line stays';
  const off = rivals.lines.length === 0 ? '' : `lines ${rivals.lines.join(', ')}`;
  return {
    kind: 'edit',
    file: {
      path: MAIN_CONFIG,
      content: editToml(rivals.text, settings),
      because:
        off === ''
          ? `${reasonFor(settings)}; ${rest}`
          : `${reasonFor(settings)}; makes a comment of what config_path excludes (${off}); ${rest}`,
      isChange: true,
    },
    insert: [
      ...(off === '' ? [] : [`${MAIN_CONFIG}: put # before ${off}, which config_path excludes`]),
      ...describeEdit(MAIN_CONFIG, text, settings),
    ].join('\n'),
  };
}

function writeStep(
  path: string,
  version: number,
  settings: readonly TomlSetting[],
): MainConfigStep {
  const file = { path, content: fileText(version, settings), because: reasonFor(settings) };
  return { kind: 'write', file };
}

/** `sets config_path = "/etc/containerd/certs.d" and sandbox_image = "registry.k8s.io/pause:3.9"`. */
function reasonFor(settings: readonly TomlSetting[]): string {
  const set = settings.map(({ key, value }) => `${key} = ${JSON.stringify(value)}`);
  return `sets ${set.join(' and ')}`;
}

/** What containerd refuses already stays refused, whatever is added; only its owner can mend it. */
async function refuseBroken(tree: ConfigTree, behaviour: ContainerdBehaviour): Promise<void> {
  const config = await readMainConfig(tree, behaviour);
  if (config.kind === 'read') return;
  const { error, origin } = config;
  if (await isOwnFile(tree, origin.file)) return;
  throw new MirrorConfigBroken({ error, file: origin.file, place: formatOrigin(origin) });
}

async function isOwnFile(tree: ConfigTree, path: string): Promise<boolean> {
  const entry = await tree.read(path);
  return entry.kind === 'file' && authorOf(entry.bytes) === 'slipway';
}

/** True when nothing has to be said any more. */
async function isInForce(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  sandboxImage: string | undefined,
): Promise<boolean> {
  const config = await readMainConfig(tree, behaviour);
  if (config.kind === 'refused') return false;
  const { roots } = config.mode;
  const hasDirectory = roots.length === 1 && roots[0] === CERTS_D;
  return hasDirectory && (sandboxImage === undefined || config.sandbox.image === sandboxImage);
}

/** 2 for 1.x, 3 for all of 2.x: 2.3 reads both 3 and 4. */
function ownVersion(behaviour: ContainerdBehaviour): number {
  return Math.min(newestConfigVersion(behaviour), 3);
}

/**
 * The version that plugin tables are named by. 2.x takes a file of version 1, or of none, for one
 * with short plugin names, so whatever we added to it under the right name would not be read.
 */
async function rootVersion(tree: ConfigTree, behaviour: ContainerdBehaviour): Promise<number> {
  const loaded = await loadConfigFiles(tree, MAIN_CONFIG, behaviour);
  const [root] = loaded.kind === 'loaded' ? loaded.files : [];
  const version = root?.version ?? 0;
  if (root === undefined || version > 1 || !behaviour.has('config-version-3')) return version || 1;
  const place = formatOrigin({ line: 1, ...placeOf(root, ['version']) });
  const written = JSON.stringify(root.value).includes('io.containerd.grpc.v1.cri') ? 2 : 3;
  throw new MirrorConfigBroken({
    error: `it has no version = ${written}, so containerd ${behaviour.version} does not read its plugin tables by the names that are written`,
    file: MAIN_CONFIG,
    place,
    mend:
      version === 1
        ? `Write version = ${written} in place of version = 1 at ${place}, then run again.`
        : `Write version = ${written} as the first line of ${MAIN_CONFIG} (above ${place}), then run again.`,
  });
}

function settingsFor(
  version: number,
  behaviour: ContainerdBehaviour,
  sandboxImage: string | undefined,
): readonly TomlSetting[] {
  const isNew = version >= 3;
  const short = version < 2 && !behaviour.has('config-version-3');
  const name = isNew ? 'io.containerd.cri.v1.images' : short ? 'cri' : 'io.containerd.grpc.v1.cri';
  const table = ['plugins', name];
  const sandbox = isNew
    ? { table: [...table, 'pinned_images'], key: 'sandbox' }
    : { table, key: 'sandbox_image' };
  return [
    ...(sandboxImage === undefined ? [] : [{ ...sandbox, value: sandboxImage }]),
    { table: [...table, 'registry'], key: 'config_path', value: CERTS_D },
  ];
}

function fileText(version: number, settings: readonly TomlSetting[]): string {
  const body = `version = ${version}\n\n${renderSettings(settings)}\n`;
  return ownText('where containerd looks for its host directories', body);
}

/**
 * Where a drop-in of ours would be read: a folder whose `*.toml` the main file imports. A plain `*`
 * would import the copy that stays of a replaced drop-in too.
 */
async function dropInPath(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
): Promise<string | undefined> {
  if (!behaviour.has('merges-plugin-sections')) return undefined;
  const loaded = await loadConfigFiles(tree, MAIN_CONFIG, behaviour);
  const imports = loaded.kind === 'loaded' ? textsOf(loaded.files[0]?.value['imports']) : [];
  const pattern = imports.find((item) => /^[^*?[]*\/\*\.toml$/.test(item));
  if (pattern === undefined) return undefined;
  const folder = pattern.slice(0, pattern.lastIndexOf('/'));
  return joinPath(folder.startsWith('/') ? folder : joinPath(MAIN_CONFIG, '..', folder), DROP_IN);
}
