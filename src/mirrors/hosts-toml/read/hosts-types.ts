/** The types that the keys of a hosts.toml must have, or the whole file is discarded. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { GoType } from '../../go/go-types.ts';
import { PathFault } from '../../go/path-fault.ts';

/** A value for which containerd discards the whole file; `path` leads to it. */
export class BadHostsFile extends PathFault {}

/** A file with its place: `folder` is where relative paths of certificates start. */
export interface HostsSource {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly folder: string;
}

/** What the keys of a host table may be called; `server` belongs to the root. */
export const hostKeys = [
  'capabilities',
  'ca',
  'client',
  'skip_verify',
  'override_path',
  'header',
  'dial_timeout',
] as const;

const hostType: Readonly<Record<string, GoType>> = Object.fromEntries(
  hostKeys.map((key) => [key, 'any']),
);

/** The keys of the whole file; what types their values have is looked at later. */
export const hostsType: GoType = { server: 'any', ...hostType, host: { '*': hostType } };

/**
 * The value of a key, spelled as the reader accepts it: 2.x in any letter case, 1.x in lower or
 * upper case only. An exact spelling wins.
 */
export function fieldOf(table: TomlTable, key: string, isStrict: boolean): TomlValue | undefined {
  if (Object.hasOwn(table, key)) return table[key];
  const spelled = isStrict
    ? Object.keys(table).find((name) => name.toLowerCase() === key)
    : key.toUpperCase();
  return spelled !== undefined && Object.hasOwn(table, spelled) ? table[spelled] : undefined;
}

/** Throws {@link BadHostsFile} at the first value of a wrong type, in hosts that are not asked too. */
export function checkTypes(root: TomlTable, behaviour: ContainerdBehaviour): void {
  const isStrict = behaviour.has('go-toml-2');
  expectType(root, [], { key: 'server', isStrict, wanted: 'text', fits: isText });
  checkTable(root, [], behaviour);
  const hosts = fieldOf(root, 'host', isStrict);
  if (hosts === undefined) return;
  if (!isTomlTable(hosts)) throw new BadHostsFile('host is not a table', ['host']);
  for (const [url, table] of Object.entries(hosts)) {
    if (!isTomlTable(table)) throw new BadHostsFile(`host.${url} is not a table`, ['host', url]);
    checkTable(table, ['host', url], behaviour);
  }
}

function checkTable(
  table: TomlTable,
  path: readonly string[],
  behaviour: ContainerdBehaviour,
): void {
  const isStrict = behaviour.has('go-toml-2');
  const isTexts = (value: TomlValue) => Array.isArray(value) && value.every(isText);
  const rules = [
    { key: 'capabilities', wanted: 'a list of text', fits: isTexts },
    { key: 'skip_verify', wanted: 'true or false', fits: isFlag },
    { key: 'override_path', wanted: 'true or false', fits: isFlag },
    { key: 'header', wanted: 'a table', fits: (value: TomlValue) => isTomlTable(value) },
    ...(behaviour.has('dial-timeout')
      ? [{ key: 'dial_timeout', wanted: 'text', fits: isText }]
      : []),
  ];
  for (const rule of rules) expectType(table, path, { ...rule, isStrict });
}

function isText(value: TomlValue): boolean {
  return typeof value === 'string';
}

function isFlag(value: TomlValue): boolean {
  return typeof value === 'boolean';
}

interface TypeRule {
  readonly key: string;
  readonly isStrict: boolean;
  readonly wanted: string;
  readonly fits: (value: TomlValue) => boolean;
}

function expectType(table: TomlTable, path: readonly string[], rule: TypeRule): void {
  const value = fieldOf(table, rule.key, rule.isStrict);
  if (value === undefined || rule.fits(value)) return;
  throw new BadHostsFile(`${rule.key} is not ${rule.wanted}`, [...path, rule.key]);
}
