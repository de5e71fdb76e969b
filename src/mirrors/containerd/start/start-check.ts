/** Everything in a main configuration, once it is merged, that keeps containerd from starting. */

import type { TomlTable } from '../../../documents/toml.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { ConfigSchema } from '../../containerd-version/config-schema.ts';
import { parseGoDuration } from '../../go/go-duration.ts';
import { decodeTable, GoTypeFault } from '../../go/go-types.ts';
import { valueAt } from '../main-config/config-files.ts';
import type { MergedConfig } from '../main-config/merged-config.ts';
import { CRI, CRI_IMAGES, tableOr } from '../main-config/plugin-names.ts';
import { StartFault } from './faults.ts';

/** The configuration to check. */
export interface StartFacts {
  readonly merged: MergedConfig;
  readonly schema: ConfigSchema;
  readonly behaviour: ContainerdBehaviour;
}

/** The settings of each plugin that is not disabled, by its long name. */
export type PluginSettings = ReadonlyMap<string, TomlTable>;

/**
 * The settings of all plugins, each of its right type. Throws {@link StartFault} with the first
 * reason why containerd exits instead of serving.
 */
export function checkStart(facts: StartFacts): PluginSettings {
  checkNames(facts);
  checkValues(facts.merged.keys);
  const proxies = checkProxies(facts);
  const settings = decodeSettings(facts);
  checkPeriod(settings, facts);
  checkRequired(facts, proxies);
  return settings;
}

/** From version 2 on plugins have long names. */
function checkNames({ merged, behaviour }: StartFacts): void {
  if (merged.version < 2) return;
  const isLoose = behaviour.has('loose-plugin-names');
  const isName = (name: string) =>
    isLoose ? name.includes('.') : /^io\.containerd\.[^.]*\../.test(name);
  const lists = [
    { names: merged.disabled, what: 'disabled plugin URI', path: ['disabled_plugins'] },
    { names: merged.required, what: 'required plugin URI', path: ['required_plugins'] },
    { names: isLoose ? [] : merged.sections, what: 'plugin key URI', path: ['plugins'] },
  ];
  for (const { names, what, path } of lists) {
    const bad = names.find((name) => !isName(name));
    if (bad === undefined) continue;
    const error = `invalid ${what} ${JSON.stringify(bad)} expect io.containerd.x.vx`;
    throw new StartFault(error, path[0] === 'plugins' ? [...path, bad] : path);
  }
}

const levels = /^(?:panic|fatal|error|warn|warning|info|debug|trace)$/i;

function checkValues(keys: TomlTable): void {
  const { root, state } = keys;
  if (root !== undefined && root === state) {
    throw new StartFault('root and state must be different paths', ['state']);
  }
  const level = textAt(keys, ['debug', 'level']);
  if (level !== '' && !levels.test(level)) {
    throw new StartFault(`not a valid logrus Level: ${JSON.stringify(level)}`, ['debug', 'level']);
  }
  const format = textAt(keys, ['debug', 'format']);
  if (!['', 'text', 'json'].includes(format)) {
    throw new StartFault(`unknown log format: ${format}`, ['debug', 'format']);
  }
  for (const name of Object.keys(tableOr(keys['timeouts']))) {
    const text = textAt(keys, ['timeouts', name]);
    if (parseGoDuration(text) !== undefined) continue;
    throw new StartFault(`unable to parse ${text} into a time duration`, ['timeouts', name]);
  }
}

function textAt(keys: TomlTable, path: readonly string[]): string {
  const value = valueAt(keys, path);
  return typeof value === 'string' ? value : '';
}

/** The long names of the proxy plugins. */
function checkProxies({ merged, schema }: StartFacts): ReadonlySet<string> {
  const proxies = new Set<string>();
  for (const name of Object.keys(tableOr(merged.keys['proxy_plugins']))) {
    const path = ['proxy_plugins', name];
    const type = schema.proxyTypes.get(textAt(merged.keys, [...path, 'type']));
    if (type === undefined) throw new StartFault('panic: plugin: no type', [...path, 'type']);
    const plugin = `${type}.${name}`;
    if (schema.settings.has(plugin) || proxies.has(plugin)) {
      throw new StartFault(`panic: ${plugin}: plugin: id already registered`, path);
    }
    proxies.add(plugin);
  }
  return proxies;
}

function decodeSettings({ merged, schema, behaviour }: StartFacts): PluginSettings {
  const isStrict = behaviour.has('go-toml-2');
  const decoded = new Map<string, TomlTable>();
  for (const [plugin, type] of schema.settings) {
    if (merged.isDisabled(plugin)) continue;
    const value = merged.settingsOf(plugin);
    if (value === undefined || isEmptyType(type)) continue;
    const path = ['plugins', merged.nameOf(plugin)];
    try {
      decoded.set(plugin, decodeTable(value, type, { isStrict }));
    } catch (error) {
      if (!(error instanceof GoTypeFault)) throw error;
      throw new StartFault(`plugin ${plugin}: ${error.message}`, [...path, ...error.path]);
    }
  }
  return decoded;
}

/** A ticker with a period below zero panics. */
function checkPeriod(settings: PluginSettings, { merged, behaviour }: StartFacts): void {
  const plugin = behaviour.has('split-cri-plugin') ? CRI_IMAGES : CRI;
  const period = settings.get(plugin)?.['stats_collect_period'];
  if (typeof period !== 'number' || period >= 0) return;
  const path = ['plugins', merged.nameOf(plugin), 'stats_collect_period'];
  throw new StartFault('panic: non-positive interval for NewTicker', path);
}

/** A plugin without settings does not look at what stands under its name. */
function isEmptyType(type: ConfigSchema['keys']): boolean {
  return typeof type === 'object' && Object.keys(type).length === 0;
}

function checkRequired({ merged, schema }: StartFacts, proxies: ReadonlySet<string>): void {
  const known = [...schema.settings.keys(), ...schema.buildDependent, ...proxies];
  for (const name of merged.required) {
    const isThere = known.some(
      (plugin) => name === merged.nameOf(plugin) && !merged.isDisabled(plugin),
    );
    if (isThere) continue;
    throw new StartFault(`required plugin [${name}] not included`, ['required_plugins']);
  }
}

/** True when the build, or a proxy, may have a plugin of the type: `io.containerd.differ.v1`, `walking`. */
export function hasPlugin(type: string, name: string, { merged, schema }: StartFacts): boolean {
  const plugin = `${type}.${name}`;
  if (merged.isDisabled(plugin)) return false;
  const proxy = textAt(merged.keys, ['proxy_plugins', name, 'type']);
  return (
    schema.settings.has(plugin) ||
    schema.buildDependent.includes(plugin) ||
    schema.proxyTypes.get(proxy) === type
  );
}
