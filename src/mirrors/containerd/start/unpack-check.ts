/** Settings with which CRI loads and the transfer service can unpack no image, so that every pull fails. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { pullModeOf } from '../cri/pull-mode.ts';
import { CRI_IMAGES, TRANSFER } from '../main-config/plugin-names.ts';
import type { PluginFault } from './faults.ts';

/** What unpack_config is made of where it is not set. */
const builtIn = [{ snapshotter: 'overlayfs' }];

/**
 * The transfer service unpacks for the snapshotters of its own list only, and CRI asks for the one of its
 * own settings: `snapshotter = "native"` alone fails every pull with "no unpack platforms defined". Source:
 * containerd core/transfer/local/pull.go, getSupportedPlatform; seen with 2.1.9.
 */
export function unpackMismatch(
  images: TomlTable,
  transfer: TomlTable,
  behaviour: ContainerdBehaviour,
): PluginFault | undefined {
  if (pullModeOf(images, behaviour).by === 'local pull') return undefined;
  const { snapshotter: wanted = 'overlayfs' } = images;
  const { unpack_config: list } = transfer;
  const listed: readonly TomlValue[] = Array.isArray(list) ? list : builtIn;
  const entries = listed.filter((entry) => isTomlTable(entry));
  const isServed = entries.some(({ snapshotter }) => wanted === '' || snapshotter === wanted);
  // 2.3 has erofs in its own list, where the machine has it.
  if (isServed || (list === undefined && wanted === 'erofs')) return undefined;
  const error = `no unpack platforms defined: the transfer service unpacks for ${namesOf(entries)}, and CRI asks for the snapshotter ${JSON.stringify(wanted)}`;
  const path = list === undefined ? [CRI_IMAGES, 'snapshotter'] : [TRANSFER, 'unpack_config'];
  return { error, path: ['plugins', ...path] };
}

function namesOf(entries: readonly TomlTable[]): string {
  if (entries.length === 0) return 'no snapshotter';
  return entries.map(({ snapshotter }) => JSON.stringify(snapshotter ?? '')).join(' and ');
}
