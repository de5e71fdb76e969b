/** Keys of CRI's settings in the main configuration that nobody reads. */

import { didYouMean, suggest } from '../../../documents/suggest.ts';
import { allTomlKeys, tomlPlace } from '../../../documents/toml-places.ts';
import type { TomlHeader, TomlKey } from '../../../documents/toml-scan.ts';
import type { Noticed } from '../../finding.ts';
import type { GoType } from '../../go/go-types.ts';
import { originAt } from '../../hosts-toml/lint/judged.ts';
import { editMend, replaced } from '../../mends/toml-mends.ts';
import type { ConfigFile } from '../main-config/config-files.ts';
import type { MainConfig } from '../main-config/main-config.ts';
import { CRI, CRI_IMAGES, CRI_RUNTIME } from '../main-config/plugin-names.ts';

type ReadConfig = Extract<MainConfig, { kind: 'read' }>;
type Statement = TomlKey | TomlHeader;

/**
 * C003 for the main configuration: containerd warns of them in its log and goes on. Only the tables of
 * CRI are looked at, by the types that data/containerd/main-config has for this version.
 */
export function unknownConfigKeys(config: ReadConfig): readonly Noticed[] {
  return config.sources.files.flatMap((file) => {
    const statements = [...file.scan.headers, ...allTomlKeys(file.scan.keys)];
    const found = statements.flatMap((one) => unknownStep(one, config) ?? []);
    // Of a table that is unknown the first place is enough.
    const first = new Map(found.toReversed().map((one) => [nameOf(one), one]));
    return [...first.values()].map((unknown) => noticed(unknown, file, config));
  });
}

interface Unknown {
  readonly one: Statement;
  /** Which part of its path nobody knows. */
  readonly at: number;
  readonly known: readonly string[];
}

function nameOf({ one, at }: Unknown): string {
  return one.path.slice(0, at + 1).join('\0');
}

function unknownStep(one: Statement, config: ReadConfig): Unknown | undefined {
  const [plugins, table = ''] = one.path;
  if (plugins !== 'plugins') return undefined;
  let type = typeOfTable(table, config);
  for (let at = 2; at < one.path.length; at += 1) {
    if (!isTable(type)) return undefined;
    const name = one.path[at] ?? '';
    const next = type['*'] ?? typeOf(type, name, config);
    const known = Object.keys(type);
    // In an old table only what is about the registry can be told to be wrong.
    if (next === undefined)
      return known.includes('config_path') || isOwn(table, config) ? { one, at, known } : undefined;
    type = next;
  }
  return undefined;
}

function isTable(type: GoType | undefined): type is { readonly [key: string]: GoType } {
  return typeof type === 'object' && !Array.isArray(type);
}

function typeOf(type: { readonly [key: string]: GoType }, name: string, { sources }: ReadConfig) {
  const isLoose = sources.behaviour.has('go-toml-2');
  return type[isLoose ? name.toLowerCase() : name] ?? type[name];
}

/** The old table is migrated to the new one, so its settings for the registry are those of the new one. */
function typeOfTable(table: string, { schema, sources }: ReadConfig): GoType | undefined {
  if (table !== CRI && table !== 'cri' && table !== CRI_IMAGES && table !== CRI_RUNTIME)
    return undefined;
  const isSplit = sources.behaviour.has('split-cri-plugin');
  if (!isSplit || table === CRI_RUNTIME) return schema.settings.get(isSplit ? table : CRI);
  return schema.settings.get(CRI_IMAGES);
}

function isOwn(table: string, { settings }: ReadConfig): boolean {
  return table === settings.table;
}

function noticed({ one, at, known }: Unknown, file: ConfigFile, { settings }: ReadConfig): Noticed {
  const name = one.path[at] ?? '';
  const part = one.parts[at - (one.path.length - one.parts.length)];
  const found = { rule: 'C003', origin: originAt(file.path, one) } as const;
  const registry = ['config_path', 'mirrors', 'configs', 'auths'];
  if (at === 2 && registry.includes(name)) {
    const message = `${name} stands in plugins."${one.path[1]}", where nobody reads it`;
    const fix = `Move it to [plugins."${settings.table}".registry] and restart containerd.`;
    return { ...found, message, fix };
  }
  const meant = suggest(name, known);
  const isFree =
    meant !== undefined && tomlPlace(file.scan, [...one.path.slice(0, at), meant]) === undefined;
  const mend = isFree && part !== undefined ? editMend(file.path, [replaced(part, meant)]) : {};
  const message = `${name} is not a setting of ${one.path.slice(1, at).join('.')} and is ignored`;
  return { ...found, message, fix: adviceFor(name, known), ...mend };
}

function adviceFor(name: string, known: readonly string[]): string {
  if (name === 'tls')
    return 'containerd 2 has no TLS settings here: name ca and client in the hosts.toml of the registry.';
  if (name === 'rewrite') return 'Only the containerd of k3s and RKE2 rewrites names.';
  return `Known here: ${known.join(', ')}${didYouMean(name, known) || '.'}`;
}
