import type { ConfigTree } from '../../config-tree.ts';
import type { DockerBehaviour } from '../behaviour.ts';
import type { DaemonSettings } from './daemon-file.ts';

/** Which part of Docker keeps images, and so pulls them. */
export type ImageStore = 'classic' | 'containerd';

/** The drivers of the classic store; `overlayfs` and the like are containerd's. */
const classicDrivers = ['overlay2', 'fuse-overlayfs', 'btrfs', 'zfs', 'vfs'];

/**
 * What `features` says; else the default of the version, unless the storage driver is one of the
 * classic store or its images are there already. DOCKER_DRIVER in the daemon's environment is not seen.
 * Source: moby/moby daemon/image_store_choice.go, determineImageStoreChoice.
 */
export async function imageStoreOf(
  settings: DaemonSettings,
  tree: ConfigTree,
  behaviour: DockerBehaviour,
): Promise<ImageStore> {
  const said = settings.features.get('containerd-snapshotter');
  if (said !== undefined) return said ? 'containerd' : 'classic';
  if (!behaviour.has('containerd-store-by-default')) return 'classic';
  const driver = settings['storage-driver'];
  if (driver !== '') return classicDrivers.includes(driver) ? 'classic' : 'containerd';
  const root = settings['data-root'] === '' ? '/var/lib/docker' : settings['data-root'];
  for (const name of classicDrivers) {
    const hasImages = name !== 'vfs' && (await tree.list(`${root}/${name}`)).length > 0;
    if (hasImages) return 'classic';
  }
  return 'containerd';
}
