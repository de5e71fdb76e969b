/** What the main configuration of a node must say so that the host directories are read. */

import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { MirrorConfigBroken } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import { CONTAINERD_CERTS_D } from '../../hosts-toml/write/certs-d.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { authorOf, ownText } from '../../own-text.ts';
import type { WantedFile } from '../../runtime-rules.ts';
import {
  loadConfigFiles,
  newestConfigVersion,
  placeOf,
  textsOf,
} from '../main-config/config-files.ts';
import { MAIN_CONFIG, readMainConfig } from '../main-config/main-config.ts';
import { refuseBytes, withSettings } from './edit-limits.ts';
import { isInForce, settingsFor, type WantedConfig } from './main-config-settings.ts';
import { refuseBroken, refuseUseless } from './refused-config.ts';
import { withoutRivals } from './rivals.ts';
import {
  describeSettings,
  nameSettings,
  renderSettings,
  type TomlSetting,
} from './toml-settings.ts';

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

/**
 * Decides the step. A drop-in is used from 2.0 on only: before, it would replace CRI's whole section.
 * No version reads a drop-in unless the main file imports its folder; `containerd config default`
 * writes that import from 2.2 on, but without a main file nothing is imported.
 * Source: containerd cmd/containerd/command/config.go, server/config/config.go, LoadConfig.
 */
export async function planMainConfig(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  sandboxImage: string | undefined,
): Promise<MainConfigStep> {
  const existing = await tree.read(MAIN_CONFIG);
  const wanted = { behaviour, sandboxImage };
  if (existing.kind !== 'file' || authorOf(existing.bytes) === 'slipway') {
    const before = overlayTree(tree, new Map([[MAIN_CONFIG, undefined]]));
    const version = newestConfigVersion(behaviour);
    return writeStep(MAIN_CONFIG, version, await settingsFor(version, before, wanted));
  }
  const step = await planBeside(existing.bytes, tree, wanted);
  if (step.kind !== 'keep') await refuseUseless(tree, step.file, wanted);
  return step;
}

/** The step beside a main file of somebody else. */
async function planBeside(
  bytes: Uint8Array,
  tree: ConfigTree,
  wanted: WantedConfig,
): Promise<MainConfigStep> {
  const { behaviour, sandboxImage } = wanted;
  const rivals = withoutRivals(Buffer.from(bytes).toString('utf8'), behaviour);
  if (rivals.lines.length > 0) {
    return planEdit(
      bytes,
      overlayTree(tree, new Map([[MAIN_CONFIG, rivals.text]])),
      rivals,
      wanted,
    );
  }
  await refuseBroken(tree, behaviour);
  const dropIn = await dropInPath(tree, behaviour);
  const isDropInOurs = dropIn !== undefined && (await tree.read(dropIn)).kind === 'file';
  if (!isDropInOurs && isInForce(await readMainConfig(tree, behaviour), sandboxImage)) {
    return {
      kind: 'keep',
      path: MAIN_CONFIG,
      because: `it names ${CONTAINERD_CERTS_D} as the directory`,
    };
  }
  if (dropIn === undefined) return planEdit(bytes, tree, rivals, wanted);
  const version = Math.min(await rootVersion(tree, behaviour), newestConfigVersion(behaviour));
  const before = overlayTree(tree, new Map([[dropIn, undefined]]));
  return writeStep(dropIn, version, await settingsFor(version, before, wanted));
}

/** Changes the file of somebody else; the lines that `rivals` took away stay as comments. */
async function planEdit(
  bytes: Uint8Array,
  tree: ConfigTree,
  rivals: ReturnType<typeof withoutRivals>,
  wanted: WantedConfig,
): Promise<MainConfigStep> {
  await refuseBroken(tree, wanted.behaviour);
  const settings = await settingsFor(await rootVersion(tree, wanted.behaviour), tree, wanted);
  refuseBytes(MAIN_CONFIG, bytes, settings);
  const content = withSettings(MAIN_CONFIG, rivals.text, settings);
  const off = rivals.lines.length === 0 ? '' : `lines ${rivals.lines.join(', ')}`;
  const sets = `sets ${nameSettings(settings)}`;
  const because =
    off === ''
      ? `${sets}; every other line stays`
      : `${sets}; makes a comment of what config_path excludes (${off}); every other line stays`;
  const text = Buffer.from(bytes).toString('utf8');
  return {
    kind: 'edit',
    file: { path: MAIN_CONFIG, content, because, isChange: true },
    insert: [
      ...(off === '' ? [] : [`${MAIN_CONFIG}: put # before ${off}, which config_path excludes`]),
      ...describeSettings(MAIN_CONFIG, text, settings),
    ].join('\n'),
  };
}

function writeStep(
  path: string,
  version: number,
  settings: readonly TomlSetting[],
): MainConfigStep {
  const body = `version = ${version}\n\n${renderSettings(settings)}\n`;
  const content = ownText('where containerd looks for its host directories', body);
  return { kind: 'write', file: { path, content, because: `sets ${nameSettings(settings)}` } };
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
  const found = placeOf(root, ['version']);
  const place = formatOrigin(found.line === undefined ? { file: root.path, line: 1 } : found);
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
