/** What a main configuration must say so that pulls look into our directory, by version of the file. */

import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { CONTAINERD_CERTS_D } from '../../hosts-toml/write/certs-d.ts';
import { valueAt } from '../main-config/config-files.ts';
import { type MainConfig, readMainConfig } from '../main-config/main-config.ts';
import { CRI, CRI_IMAGES } from '../main-config/plugin-names.ts';
import type { TomlSetting } from './toml-settings.ts';

/** What shall be in force. */
export interface WantedConfig {
  readonly behaviour: ContainerdBehaviour;
  readonly sandboxImage: string | undefined;
}

/**
 * The settings for a file of that version, by the names that its plugin tables have.
 *
 * `config_path` is our one directory. Where somebody listed several, the others stay behind it; 2.1 and
 * later read a list only with `use_local_image_pull`, since the transfer service takes it for one name.
 */
export async function settingsFor(
  version: number,
  tree: ConfigTree,
  { behaviour, sandboxImage }: WantedConfig,
): Promise<readonly TomlSetting[]> {
  const isNew = version >= 3;
  const short = version < 2 && !behaviour.has('config-version-3');
  const table = ['plugins', isNew ? CRI_IMAGES : short ? 'cri' : CRI];
  const sandbox = isNew
    ? { table: [...table, 'pinned_images'], key: 'sandbox' }
    : { table, key: 'sandbox_image' };
  const config = await readMainConfig(tree, behaviour);
  const directories = directoriesFor(config);
  const isListLost = directories.length > 1 && behaviour.has('transfer-service');
  return [
    ...(sandboxImage === undefined ? [] : [{ ...sandbox, value: sandboxImage }]),
    { table: [...table, 'registry'], key: 'config_path', value: directories.join(':') },
    // A migration of version 2 does not take this key over from the old table.
    ...(isListLost && pullsByTransfer(config)
      ? [{ table: ['plugins', CRI_IMAGES], key: 'use_local_image_pull', value: true } as const]
      : []),
  ];
}

/** True when nothing has to be said any more: our directory is read first, and pods wait in the image. */
export function isInForce(config: MainConfig, sandboxImage: string | undefined): boolean {
  if (config.kind === 'refused' || config.mode.roots[0] !== CONTAINERD_CERTS_D) return false;
  const isSaid = config.mode.roots.length === 1 || writtenPath(config) !== '';
  return isSaid && (sandboxImage === undefined || config.sandbox.image === sandboxImage);
}

function directoriesFor(config: MainConfig): readonly string[] {
  const written = writtenPath(config).split(':');
  const listed = written.filter(
    (directory) => directory !== '' && directory !== CONTAINERD_CERTS_D,
  );
  return written.length > 1 ? [CONTAINERD_CERTS_D, ...listed] : [CONTAINERD_CERTS_D];
}

/** The value that some file has; empty for the default of 2.2 and later, which nobody wrote. */
function writtenPath(config: MainConfig): string {
  if (config.kind === 'refused') return '';
  const value = valueAt(config.settings.images, ['registry', 'config_path']);
  return typeof value === 'string' ? value : '';
}

/** Asked of the list as it will be: registry.mirrors and the like may already force the local pull. */
function pullsByTransfer(config: MainConfig): boolean {
  return config.kind === 'read' && config.mode.by === 'transfer service';
}
