/** The names of plugins: `cri` in files of version 1, `io.containerd.grpc.v1.cri` in all others. */

import { isTomlTable, type TomlTable } from '../../../documents/toml.ts';

/** The plugin that serves the kubelet; before 2.0 it also holds the settings of pulling. */
export const CRI = 'io.containerd.grpc.v1.cri';
/** Where 2.x has the settings of pulling. */
export const CRI_IMAGES = 'io.containerd.cri.v1.images';
/** Where 2.x has the settings of running. */
export const CRI_RUNTIME = 'io.containerd.cri.v1.runtime';

/** What pulls images for CRI since 2.1, unless its settings want the older way. */
export const TRANSFER = 'io.containerd.transfer.v1.local';

/** What 2.x makes of the short names of version 1. Source: server/config/config.go, v1MigratePluginName. */
const longNames: Readonly<Record<string, string>> = {
  cgroups: 'io.containerd.monitor.v1.cgroups',
  linux: 'io.containerd.runtime.v1.linux',
  scheduler: 'io.containerd.gc.v1.scheduler',
  bolt: 'io.containerd.metadata.v1.bolt',
  task: 'io.containerd.runtime.v2.task',
  opt: 'io.containerd.internal.v1.opt',
  restart: 'io.containerd.internal.v1.restart',
  tracing: 'io.containerd.internal.v1.tracing',
  otlp: 'io.containerd.tracing.processor.v1.otlp',
  aufs: 'io.containerd.snapshotter.v1.aufs',
  btrfs: 'io.containerd.snapshotter.v1.btrfs',
  devmapper: 'io.containerd.snapshotter.v1.devmapper',
  native: 'io.containerd.snapshotter.v1.native',
  overlayfs: 'io.containerd.snapshotter.v1.overlayfs',
  zfs: 'io.containerd.snapshotter.v1.zfs',
};

/** `cri` → `io.containerd.grpc.v1.cri`; a name with a dot stays as it is. */
export function longName(name: string): string {
  if (name.includes('.')) return name;
  if (Object.hasOwn(longNames, name)) return longNames[name] ?? name;
  return name.endsWith('-service')
    ? `io.containerd.service.v1.${name}`
    : `io.containerd.grpc.v1.${name}`;
}

/** `io.containerd.grpc.v1.cri` → `cri`: how 1.x finds a plugin in a file of version 1. */
export function shortName(plugin: string): string {
  return plugin.replace(/^.*?\.v\d+\./, '');
}

/** The tables below `plugins` of a file by long names. */
export function withLongNames(plugins: TomlTable): TomlTable {
  return Object.fromEntries(
    Object.entries(plugins).map(([name, value]) => [longName(name), value]),
  );
}

/** The value as a table, or an empty one. */
export function tableOr(value: TomlTable[string] | undefined): TomlTable {
  return isTomlTable(value) ? value : {};
}
