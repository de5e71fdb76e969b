/** How containerd 2.x moves the settings of older files to the plugins that read them now. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import { StartFault } from '../start/faults.ts';
import { CRI, CRI_IMAGES, CRI_RUNTIME, tableOr } from './plugin-names.ts';

// Keys of the old CRI table that pulling has now.
const imageKeys = [
  'registry',
  'image_decryption',
  'max_concurrent_downloads',
  'image_pull_progress_timeout',
  'image_pull_with_sync_fs',
  'stats_collect_period',
];
/** The same, in its table `containerd`; left behind unless that has `runtimes`. */
export const imageKeysBelowContainerd = [
  'snapshotter',
  'disable_snapshot_annotations',
  'discard_unpacked_layers',
];
const streamKeys = [
  'disable_tcp_service',
  'stream_server_address',
  'stream_server_port',
  'stream_idle_timeout',
  'enable_tls_streaming',
  'x509_key_pair_streaming',
];
const renamed: Readonly<Record<string, string>> = {
  'io.containerd.monitor.v1.cgroups': 'io.containerd.monitor.task.v1.cgroups',
  'io.containerd.internal.v1.restart': 'io.containerd.monitor.container.v1.restart',
};

/**
 * The tables below `plugins` in the words of 2.x. Throws {@link StartFault} where containerd panics:
 * it takes some old values for tables without looking.
 * Source: plugins/cri/images/plugin.go, plugins/cri/runtime/plugin.go, plugins/cri/cri.go.
 */
export function migratePlugins(plugins: TomlTable): TomlTable {
  const moved = Object.fromEntries(
    Object.entries(plugins).map(([name, value]) => [renamed[name] ?? name, value]),
  );
  const old = moved[CRI];
  if (old === undefined) return moved;
  if (!isTomlTable(old)) throw panic([CRI]);
  return {
    ...moved,
    [CRI_IMAGES]: migrateImages(expectTable(moved[CRI_IMAGES] ?? {}, [CRI_IMAGES]), old),
    [CRI_RUNTIME]: migrateRuntime(tableOr(moved[CRI_RUNTIME]), old),
    [CRI]: picked(old, streamKeys),
  };
}

function migrateImages(images: TomlTable, old: TomlTable): TomlTable {
  const { sandbox_image: sandbox } = old;
  const pinned = expectTable(images['pinned_images'] ?? {}, [CRI_IMAGES, 'pinned_images']);
  return {
    ...images,
    ...(sandbox === undefined ? {} : { pinned_images: { ...pinned, sandbox } }),
    ...picked(old, imageKeys),
    ...fromContainerdTable(old),
  };
}

function fromContainerdTable(old: TomlTable): TomlTable {
  const { containerd } = old;
  if (containerd === undefined) return {};
  const table = expectTable(containerd, [CRI, 'containerd']);
  const { runtimes } = table;
  if (runtimes === undefined) return {};
  const path = [CRI, 'containerd', 'runtimes'];
  for (const [name, runtime] of Object.entries(expectTable(runtimes, path))) {
    expectTable(runtime, [...path, name]);
  }
  return picked(table, imageKeysBelowContainerd);
}

function migrateRuntime(runtime: TomlTable, old: TomlTable): TomlTable {
  const left = [...imageKeys, ...streamKeys, 'sandbox_image', 'cni', 'containerd'];
  const { cni, containerd } = old;
  return {
    ...without(old, left),
    ...runtime,
    ...(isTomlTable(cni) ? { cni: migrateCni(tableOr(runtime['cni']), cni) } : {}),
    ...(isTomlTable(containerd)
      ? {
          containerd: {
            ...withSandboxers(without(containerd, imageKeysBelowContainerd)),
            ...tableOr(runtime['containerd']),
          },
        }
      : {}),
  };
}

function migrateCni(cni: TomlTable, old: TomlTable): TomlTable {
  const { bin_dir: folder } = old;
  if (folder === undefined) return { ...old, ...cni };
  if (typeof folder !== 'string') throw panic([CRI, 'cni', 'bin_dir']);
  return { bin_dirs: [folder], ...without(old, ['bin_dir']), ...cni };
}

function withSandboxers(containerd: TomlTable): TomlTable {
  const { runtimes } = containerd;
  if (!isTomlTable(runtimes)) return containerd;
  const entries = Object.entries(runtimes).map(([name, runtime]): [string, TomlValue] => {
    if (!isTomlTable(runtime) || runtime['sandbox_mode'] === undefined) return [name, runtime];
    return [name, { sandboxer: runtime['sandbox_mode'], ...without(runtime, ['sandbox_mode']) }];
  });
  return { ...containerd, runtimes: Object.fromEntries(entries) };
}

function expectTable(value: TomlValue, path: readonly string[]): TomlTable {
  if (isTomlTable(value)) return value;
  throw panic(path);
}

function panic(path: readonly string[]): StartFault {
  return new StartFault(`panic: plugins.${path.join('.')} is not a table`, ['plugins', ...path]);
}

function picked(table: TomlTable, keys: readonly string[]): TomlTable {
  return Object.fromEntries(Object.entries(table).filter(([key]) => keys.includes(key)));
}

function without(table: TomlTable, keys: readonly string[]): TomlTable {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !keys.includes(key)));
}
