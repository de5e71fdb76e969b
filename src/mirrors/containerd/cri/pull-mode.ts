/** Which part of CRI pulls images, and in which directories it therefore looks for rules. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { hasEntries } from './cri-mirrors.ts';

/** The default since 2.2, on Linux. */
export const DEFAULT_CONFIG_PATH = '/etc/containerd/certs.d:/etc/docker/certs.d';

/** How pulls find their endpoints. */
export interface PullMode {
  /** The transfer service takes config_path as one directory; the local pull splits it at `:`. */
  readonly by: 'local pull' | 'transfer service';
  /** The value in force, defaults included; empty when there is none. */
  readonly configPath: string;
  /** The directories in which `certs.d` style rules are looked for, in order. */
  readonly roots: readonly string[];
  /** True when registry.mirrors is used instead of directories. */
  readonly usesMirrors: boolean;
}

/** The `registry` table of the images settings, or an empty one. */
export function registryOf(images: TomlTable): TomlTable {
  const { registry } = images;
  return isTomlTable(registry) ? registry : {};
}

/** Decides the mode from the images settings of CRI. */
export function pullModeOf(images: TomlTable, behaviour: ContainerdBehaviour): PullMode {
  const isLocal = !behaviour.has('transfer-service') || localPullReason(images) !== undefined;
  const configPath = configPathOf(images, behaviour);
  const split = configPath.split(':').filter((root) => root !== '');
  const roots = isLocal || configPath === '' ? split : [configPath];
  return {
    by: isLocal ? 'local pull' : 'transfer service',
    configPath,
    roots,
    usesMirrors: isLocal && roots.length === 0,
  };
}

function configPathOf(images: TomlTable, behaviour: ContainerdBehaviour): string {
  const registry = registryOf(images);
  const { config_path: path } = registry;
  if (typeof path === 'string' && path !== '') return path;
  if (!behaviour.has('default-config-path')) return '';
  if (behaviour.has('default-config-path-excludes-mirrors')) {
    return path === '' ? '' : DEFAULT_CONFIG_PATH;
  }
  return hasEntries(registry, 'mirrors') ? '' : DEFAULT_CONFIG_PATH;
}

const localPullRules: ReadonlyArray<
  readonly [setting: string, isSet: (images: TomlTable) => boolean]
> = [
  ['use_local_image_pull = true', (images) => images['use_local_image_pull'] === true],
  [
    'disable_snapshot_annotations = false',
    (images) => images['disable_snapshot_annotations'] === false,
  ],
  ['discard_unpacked_layers = true', (images) => images['discard_unpacked_layers'] === true],
  ['registry.mirrors', (images) => hasEntries(registryOf(images), 'mirrors')],
  ['registry.configs', (images) => hasEntries(registryOf(images), 'configs')],
  ['registry.auths', (images) => hasEntries(registryOf(images), 'auths')],
  ['max_concurrent_downloads', (images) => !isThree(images['max_concurrent_downloads'])],
  ['image_pull_with_sync_fs = true', (images) => images['image_pull_with_sync_fs'] === true],
];

function isThree(value: TomlValue | undefined): boolean {
  return value === undefined || value === 3;
}

/**
 * The first setting that makes 2.1 and later pull without the transfer service, or undefined.
 * `{ max_concurrent_downloads: 5 }` → `max_concurrent_downloads`.
 */
export function localPullReason(images: TomlTable): string | undefined {
  return localPullRules.find(([, isSet]) => isSet(images))?.[0];
}
