/** Settings with which a plugin that CRI depends on does not load, and CRI with it. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import { textsOf } from '../main-config/config-files.ts';
import { TRANSFER, tableOr } from '../main-config/plugin-names.ts';
import type { PluginFault } from './faults.ts';
import { hasPlugin, type PluginSettings, type StartFacts } from './start-check.ts';

const BOLT = 'io.containerd.metadata.v1.bolt';
const DIFF = 'io.containerd.service.v1.diff-service';
const TASK = 'io.containerd.runtime.v2.task';
const SNAPSHOTTER = 'io.containerd.snapshotter.v1';

/** The first fault among the plugins that this version needs, in containerd's own words. */
export function dependencyFault(
  facts: StartFacts,
  settings: PluginSettings,
): PluginFault | undefined {
  const needs = (plugin: string) => facts.schema.needed.includes(plugin);
  const tableOf = (plugin: string) => (needs(plugin) ? (settings.get(plugin) ?? {}) : {});
  return (
    secondContentStore(facts) ??
    policyFault(tableOf(BOLT)) ??
    differFault(tableOf(DIFF), facts) ??
    platformFault(textsOf(tableOf(TASK)['platforms']), [TASK, 'platforms']) ??
    unpackFault(tableOf(TRANSFER)['unpack_config'], facts)
  );
}

/** The built-in store must be the only one. */
function secondContentStore({ merged, schema }: StartFacts): PluginFault | undefined {
  const proxies = Object.entries(tableOr(merged.keys['proxy_plugins']));
  const store = proxies.find(([, proxy]) => {
    const type = tableOr(proxy)['type'];
    return typeof type === 'string' && schema.proxyTypes.get(type) === 'io.containerd.content.v1';
  });
  if (store === undefined) return undefined;
  const error = 'multiple plugins registered for io.containerd.content.v1';
  return { error, path: ['proxy_plugins', store[0]] };
}

function policyFault({ content_sharing_policy: policy }: TomlTable): PluginFault | undefined {
  if (typeof policy !== 'string' || ['', 'shared', 'isolated'].includes(policy)) return undefined;
  return { error: `unknown policy: ${policy}`, path: ['plugins', BOLT, 'content_sharing_policy'] };
}

function differFault({ default: names }: TomlTable, facts: StartFacts): PluginFault | undefined {
  const missing = textsOf(names).find((name) => !hasPlugin('io.containerd.differ.v1', name, facts));
  if (missing === undefined) return undefined;
  return { error: `needed differ not loaded: ${missing}`, path: ['plugins', DIFF, 'default'] };
}

function unpackFault(value: TomlValue | undefined, facts: StartFacts): PluginFault | undefined {
  const path = [TRANSFER, 'unpack_config'];
  const entries: readonly TomlValue[] = Array.isArray(value) ? value : [];
  const tables = entries.filter((entry) => isTomlTable(entry));
  const names = tables.map(({ snapshotter }) => snapshotter).filter((name) => isText(name));
  const missing = names.find((name) => !hasPlugin(SNAPSHOTTER, name, facts));
  if (missing !== undefined) {
    return {
      error: `snapshotter ${JSON.stringify(missing)} not found`,
      path: ['plugins', ...path],
    };
  }
  return platformFault(
    tables.map(({ platform }) => platform).filter((name) => isText(name)),
    path,
  );
}

function isText(value: TomlValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

const alone =
  /^(?:linux|windows|darwin|macos|freebsd|386|amd64|arm|arm64|x86_64|x86-64|i386|aarch64|armhf|armel|ppc64le|s390x|riscv64|loong64|mips64le|mips64|ppc64)$/i;

/** A platform that Go's platforms.Parse refuses; `path` is below `plugins`. */
export function platformFault(
  platforms: readonly string[],
  path: readonly string[],
): PluginFault | undefined {
  const isPlatform = (text: string) => {
    const parts = text.split('/');
    const areNames = parts.every((part) => /^[A-Za-z0-9_.()-]+$/.test(part));
    return areNames && parts.length <= 3 && (parts.length > 1 || alone.test(text));
  };
  const bad = platforms.find((text) => !isPlatform(text));
  if (bad === undefined) return undefined;
  const error = `${JSON.stringify(bad)}: cannot parse platform specifier`;
  return { error, path: ['plugins', ...path] };
}
