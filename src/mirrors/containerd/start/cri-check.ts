/** Settings with which the CRI plugin does not load, so that nothing can be pulled at all. */

import { isTomlTable, type TomlTable } from '../../../documents/toml.ts';
import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { parseGoDuration } from '../../go/go-duration.ts';
import { hasEntries } from '../cri/cri-mirrors.ts';
import { pullModeOf, registryOf } from '../cri/pull-mode.ts';
import { textsOf, valueAt } from '../main-config/config-files.ts';
import { CRI, CRI_IMAGES, CRI_RUNTIME, tableOr } from '../main-config/plugin-names.ts';
import { dependencyFault, platformFault } from './dependency-check.ts';
import type { PluginFault } from './faults.ts';
import { hasPlugin, type PluginSettings, type StartFacts } from './start-check.ts';

/** The fault in CRI's settings, in the plugin's own words, or undefined. */
export function criFault(facts: StartFacts, settings: PluginSettings): PluginFault | undefined {
  const isNew = facts.behaviour.has('split-cri-plugin');
  const tableOf = (plugin: string) => settings.get(isNew ? plugin : CRI) ?? {};
  const sections = {
    images: { name: facts.merged.nameOf(isNew ? CRI_IMAGES : CRI), table: tableOf(CRI_IMAGES) },
    runtime: { name: facts.merged.nameOf(isNew ? CRI_RUNTIME : CRI), table: tableOf(CRI_RUNTIME) },
    server: { name: facts.merged.nameOf(CRI), table: tableOf(CRI) },
  };
  return (
    missingPlugin(facts) ??
    dependencyFault(facts, settings) ??
    runtimePlatformFault(sections.images) ??
    placed(registryFault(sections.images.table, facts.behaviour), sections.images.name) ??
    placed(
      durationFault(sections.images.table, 'image_pull_progress_timeout'),
      sections.images.name,
    ) ??
    placed(snapshotterFault(sections.images.table, facts), sections.images.name) ??
    placed(runtimeFault(sections.runtime.table, facts.behaviour), sections.runtime.name) ??
    placed(durationFault(sections.server.table, 'stream_idle_timeout'), sections.server.name) ??
    placed(streamPairFault(sections.server.table), sections.server.name)
  );
}

function placed(fault: PluginFault | undefined, plugin: string): PluginFault | undefined {
  return fault === undefined ? undefined : { ...fault, path: ['plugins', plugin, ...fault.path] };
}

function missingPlugin({ merged, schema }: StartFacts): PluginFault | undefined {
  const needed = [CRI, ...schema.needed].find((plugin) => merged.isDisabled(plugin));
  if (needed === undefined) return undefined;
  const name = merged.nameOf(needed);
  const what = needed === CRI ? 'it' : `the plugin ${name}, which it needs,`;
  return { error: `${what} is in disabled_plugins`, path: ['disabled_plugins'] };
}

/** The pairs of settings that exclude each other, and URLs that are none. */
export function registryFault(
  images: TomlTable,
  behaviour: ContainerdBehaviour,
): PluginFault | undefined {
  const registry = registryOf(images);
  const path = ['registry'];
  if (pullModeOf(images, behaviour).configPath !== '') {
    if (hasEntries(registry, 'mirrors')) {
      const error = '`mirrors` cannot be set when `config_path` is provided';
      return { error, path: [...path, 'mirrors'] };
    }
    const tls = Object.entries(tableOr(registry['configs'])).find(([, config]) =>
      isTomlTable(valueAt(config, ['tls'])),
    );
    if (behaviour.has('registry-tls') && tls !== undefined) {
      const error = '`configs.tls` cannot be set when `config_path` is provided';
      return { error, path: [...path, 'configs', tls[0], 'tls'] };
    }
  }
  for (const url of Object.keys(tableOr(registry['auths']))) {
    const parsed = parseGoUrl(url);
    if (parsed.ok) continue;
    const error = `failed to parse registry url ${JSON.stringify(url)} from \`registry.auths\`: ${parsed.reason}`;
    return { error, path: [...path, 'auths', url] };
  }
  return undefined;
}

function durationFault(table: TomlTable, key: string): PluginFault | undefined {
  const { [key]: value } = table;
  if (typeof value !== 'string' || value === '' || parseGoDuration(value) !== undefined) {
    return undefined;
  }
  return { error: `invalid ${key}: time: invalid duration ${JSON.stringify(value)}`, path: [key] };
}

function snapshotterFault(images: TomlTable, facts: StartFacts): PluginFault | undefined {
  const path = facts.behaviour.has('split-cri-plugin')
    ? ['snapshotter']
    : ['containerd', 'snapshotter'];
  const value = valueAt(images, path) ?? 'overlayfs';
  if (typeof value !== 'string' || hasPlugin('io.containerd.snapshotter.v1', value, facts))
    return undefined;
  return { error: `failed to find snapshotter ${JSON.stringify(value)}`, path };
}

function runtimePlatformFault({ name, table }: { name: string; table: TomlTable }) {
  const platforms = Object.values(tableOr(table['runtime_platforms'])).flatMap((runtime) => {
    const { platform } = tableOr(runtime);
    return typeof platform === 'string' && platform !== '' ? [platform] : [];
  });
  return platformFault(platforms, [name, 'runtime_platforms']);
}

/** A key pair for streams counts only with the flag for it, and without the flag it is an error. */
function streamPairFault(server: TomlTable): PluginFault | undefined {
  const pair = tableOr(server['x509_key_pair_streaming']);
  const isSet = Object.values(pair).some((file) => file !== '');
  if (!isSet || server['enable_tls_streaming'] === true) return undefined;
  const error = 'X509KeyPairStreaming is set but EnableTLSStreaming is not set';
  return { error, path: ['x509_key_pair_streaming'] };
}

function runtimeFault(table: TomlTable, behaviour: ContainerdBehaviour): PluginFault | undefined {
  const containerd = tableOr(table['containerd']);
  const { default_runtime_name: name = 'runc', runtimes } = containerd;
  const named = tableOr(runtimes);
  const isBuiltIn = runtimes === undefined || behaviour.has('keeps-default-entries');
  const hasDefault =
    typeof name === 'string' && (Object.hasOwn(named, name) || (isBuiltIn && name === 'runc'));
  // 1.x takes a table `default_runtime` for the default one, whatever the name says.
  const isOldDefault = valueAt(containerd, ['default_runtime', 'runtime_type']) !== undefined;
  if (!hasDefault && !(isOldDefault && behaviour.has('runtime-v1-settings'))) {
    const error =
      name === ''
        ? '`default_runtime_name` is empty'
        : `no corresponding runtime configured in \`containerd.runtimes\` for \`containerd\` \`default_runtime_name = ${JSON.stringify(name)}\``;
    return { error, path: ['containerd', 'default_runtime_name'] };
  }
  return (
    Object.entries(named)
      .map(([runtime, value]) => entryFault(tableOr(value), ['containerd', 'runtimes', runtime]))
      .find((fault) => fault !== undefined) ??
    binFoldersFault(tableOr(table['cni']), behaviour) ??
    oldCgroupFault(table, behaviour) ??
    durationFault(table, 'drain_exec_sync_io_timeout')
  );
}

function entryFault(runtime: TomlTable, path: readonly string[]): PluginFault | undefined {
  const { io_type: ioType } = runtime;
  if (typeof ioType === 'string' && !['', 'fifo', 'streaming'].includes(ioType)) {
    const error = '`io_type` can only be `streaming` or `named_pipe`';
    return { error, path: [...path, 'io_type'] };
  }
  const key = 'privileged_without_host_devices_all_devices_allowed';
  if (runtime[key] !== true || runtime['privileged_without_host_devices'] === true)
    return undefined;
  const error = `\`${key}\` requires \`privileged_without_host_devices\` to be enabled`;
  return { error, path: [...path, key] };
}

function binFoldersFault(cni: TomlTable, behaviour: ContainerdBehaviour): PluginFault | undefined {
  const { bin_dir: folder, bin_dirs: folders } = cni;
  const isSet = typeof folder === 'string' && folder !== '' && behaviour.has('cni-bin-dir');
  if (!isSet || textsOf(folders).length === 0) return undefined;
  const error = '`cni.bin_dir` and `cni.bin_dirs` cannot be set at the same time';
  return { error, path: ['cni', 'bin_dirs'] };
}

/** In 1.x these are left over from a runtime that nobody uses any more. */
function oldCgroupFault(table: TomlTable, behaviour: ContainerdBehaviour): PluginFault | undefined {
  if (!behaviour.has('runtime-v1-settings')) return undefined;
  const key = ['systemd_cgroup', 'no_pivot'].find(
    (name) => valueAt(table, [name]) === true || valueAt(table, ['containerd', name]) === true,
  );
  if (key === undefined) return undefined;
  return { error: `\`${key}\` only works for runtime io.containerd.runtime.v1.linux`, path: [key] };
}
