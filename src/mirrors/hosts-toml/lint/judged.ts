/** What a check of one registry's rules is given, and how it names places in them. */

import { nearestTomlPlace, tomlPlace } from '../../../documents/toml-places.ts';
import type { TomlHeader, TomlKey, TomlScan, TomlSpan } from '../../../documents/toml-scan.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Noticed, Origin } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import { UNLISTED } from '../../mirror-rule.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { PlannedEndpoint } from '../endpoints.ts';
import type { HostsFile } from '../read/hosts-file.ts';
import type { RegistryRules } from '../registry-rules.ts';

/** The rules to judge; `others` are the names in the registry's directory. */
export interface JudgedRules {
  readonly registry: string;
  readonly rules: RegistryRules;
  readonly others: readonly string[];
  readonly behaviour: ContainerdBehaviour;
  /** What is known of the place; absent where a chain is judged, which is the same in all places. */
  readonly site?: LintedSite;
}

/** One or more rules of docs/reference/mirror-rules.md. */
export type Check = (judged: JudgedRules) => readonly Noticed[];

/** `docker.io`, or in words what {@link UNLISTED} stands for. */
export function registryInWords(registry: string): string {
  return registry === UNLISTED ? 'every registry without a folder of its own' : registry;
}

/** A host, or in words the one that {@link UNLISTED} stands for. */
export function hostInWords(host: string): string {
  return host === UNLISTED ? 'the registry of the image itself' : host;
}

/** A hosts.toml that was read, with its path. */
export interface ReadHosts {
  readonly file: string;
  readonly hosts: HostsFile;
  readonly scan: TomlScan;
}

/** The file of the rules, whatever containerd makes of it; undefined where there is none. */
export function hostsOf({ directory, hostsFile }: RegistryRules): ReadHosts | undefined {
  if (directory.kind !== 'found' || hostsFile === undefined) return undefined;
  const file = joinPath(directory.path, 'hosts.toml');
  return { file, hosts: hostsFile, scan: hostsFile.scan };
}

/** The file of the rules with its endpoints; undefined where containerd does not get that far. */
export function endpointsIn(
  rules: RegistryRules,
): (ReadHosts & { readonly endpoints: readonly PlannedEndpoint[] }) | undefined {
  const read = hostsOf(rules);
  if (read === undefined || read.hosts.kind !== 'entries') return undefined;
  return { ...read, endpoints: rules.planned };
}

/** `/etc/x.toml:3:5`. */
export function originAt(
  file: string,
  place: Pick<TomlSpan, 'line' | 'column'> | undefined,
): Origin {
  return place === undefined ? { file } : { file, line: place.line, column: place.column };
}

/** The key of a table by its exact name, with its value. */
export function keyAt(scan: TomlScan, table: readonly string[], name: string): TomlKey | undefined {
  const place = tomlPlace(scan, [...table, name]);
  return place !== undefined && 'value' in place ? place : undefined;
}

/** Where a setting of an endpoint stands: its key, else the header or the `server` line of the endpoint. */
export function settingOrigin(
  { file, scan }: ReadHosts,
  { entry }: PlannedEndpoint,
  name: string,
): Origin {
  const key = keyAt(scan, entry.table, name);
  return originAt(file, key ?? endpointPlace(scan, entry.table));
}

/** The header of a mirror, or the line of the server. */
export function endpointPlace(scan: TomlScan, table: readonly string[]) {
  return table.length === 0 ? keyAt(scan, [], 'server') : nearestTomlPlace(scan, table);
}

/**
 * `[host.m.example.com]`: every name bare, and more of them than a table of a host has, so that the
 * host is `m`.
 */
export function isUnquotedHeader({ parts }: TomlHeader): boolean {
  const isBare = parts.every(({ form }) => form === 'bare');
  return isBare && parts.length > 2 && parts[2]?.name !== 'header';
}

/** False for the host that an unquoted header made up, of which nothing else is worth saying. */
export function isMeant({ scan }: ReadHosts, { entry }: PlannedEndpoint): boolean {
  const place = endpointPlace(scan, entry.table);
  return place === undefined || 'value' in place || !isUnquotedHeader(place);
}
