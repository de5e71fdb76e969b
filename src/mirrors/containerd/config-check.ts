/** Settings with which the CRI plugin does not load, so that nothing can be pulled at all. */

import { isTomlTable, type TomlTable } from '../../documents/toml.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import { hasEntries } from './cri-mirrors.ts';
import type { CriSettings } from './cri-settings.ts';
import { type PullMode, registryOf } from './pull-mode.ts';

/** Why the plugin does not load; `path` leads to the setting that decides it. */
export interface PluginFault {
  readonly error: string;
  readonly path: readonly string[];
}

/** The fault in CRI's settings, in the plugin's own words, or undefined. */
export function pluginFault(
  settings: CriSettings,
  mode: PullMode,
  behaviour: ContainerdBehaviour,
): PluginFault | undefined {
  return (
    disabledFault(settings) ??
    typeFault(settings.images) ??
    pairFault(settings.images, mode, behaviour)
  );
}

const criPlugins = new Set(['cri', 'io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.images']);

function disabledFault({ disabledPlugins }: CriSettings): PluginFault | undefined {
  const plugin = disabledPlugins.find((name) => criPlugins.has(name));
  if (plugin === undefined) return undefined;
  return { error: `the plugin ${plugin} is in disabled_plugins`, path: ['disabled_plugins'] };
}

function typeFault(images: TomlTable): PluginFault | undefined {
  const { registry } = images;
  if (registry === undefined) return undefined;
  if (!isTomlTable(registry)) return { error: 'registry is not a table', path: ['registry'] };
  const { config_path: configPath, mirrors } = registry;
  if (configPath !== undefined && typeof configPath !== 'string') {
    return { error: 'config_path is not text', path: ['registry', 'config_path'] };
  }
  if (mirrors !== undefined && !isTomlTable(mirrors)) {
    return { error: 'mirrors is not a table', path: ['registry', 'mirrors'] };
  }
  return undefined;
}

function pairFault(
  images: TomlTable,
  mode: PullMode,
  behaviour: ContainerdBehaviour,
): PluginFault | undefined {
  if (mode.configPath === '') return undefined;
  const registry = registryOf(images);
  if (hasEntries(registry, 'mirrors')) {
    const error = '`mirrors` cannot be set when `config_path` is provided';
    return { error, path: ['registry', 'mirrors'] };
  }
  const { configs } = registry;
  if (!behaviour.has('registry-tls') || !isTomlTable(configs)) return undefined;
  const withTls = Object.entries(configs).find(
    ([, config]) => isTomlTable(config) && isTomlTable(config['tls']),
  );
  if (withTls === undefined) return undefined;
  const error = '`configs.tls` cannot be set when `config_path` is provided';
  return { error, path: ['registry', 'configs', withTls[0], 'tls'] };
}
