/** Reads one hosts.toml as containerd reads it: which endpoints it names, or why it is discarded. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import { tomlLine, tomlPosition } from '../../../documents/toml-places.ts';
import { scanToml, type TomlScan } from '../../../documents/toml-scan.ts';
import { compareText } from '../../../shared/json.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { decodeGoToml } from '../../containerd-version/go-toml.ts';
import type { Origin } from '../../finding.ts';
import { hasPlaceFor } from '../../go/go-types.ts';
import type { TomlFault } from '../../go/toml/toml-fault.ts';
import { crashingKey } from './dotted-crash.ts';
import { type HostEntry, readHostEntry } from './host-entry.ts';
import { BadHostsFile, checkTypes, fieldOf, type HostsSource, hostsType } from './hosts-types.ts';

/** Why a file is discarded: what its text is not, no host table where one is needed, or a bad value. */
export type DiscardCause = TomlFault['kind'] | 'no-host-table' | 'value';

/**
 * What containerd makes of the text.
 *
 * - `entries`: the host tables in the order in which they are asked; the root entry is last, always
 * - `discarded`: the file counts as missing, so that pulls go upstream
 * - `crash`: the parser panics; every pull of the registry fails
 */
export type HostsFile = { readonly scan: TomlScan } & (
  | { readonly kind: 'entries'; readonly entries: readonly HostEntry[] }
  | ({
      readonly kind: 'discarded';
      readonly cause: DiscardCause;
      readonly reason: string;
    } & FilePlace)
  | ({ readonly kind: 'crash'; readonly error: string } & FilePlace)
);

type FilePlace = Pick<Origin, 'line' | 'column'>;

/** Reads the bytes with the rules of one version; never throws for bad input. */
export function readHostsFile(source: HostsSource, behaviour: ContainerdBehaviour): HostsFile {
  const decoded = decodeGoToml(source.bytes, behaviour, (key) => hasPlaceFor(hostsType, key));
  if (!decoded.ok) {
    const { ok: _, kind: cause, ...fault } = decoded;
    // A byte order mark stays, so that offsets are those of the file.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(source.bytes);
    return { kind: 'discarded', cause, ...fault, scan: scanToml(text) };
  }
  const { value, scan } = decoded;
  const crash = behaviour.has('mirrors-by-header')
    ? crashOfDottedKey(scan, behaviour)
    : crashOfOldReader(value, scan);
  return crash ?? readEntries(value, scan, source, behaviour);
}

/** The reader of 1.x sorts whatever stands below `host` as if all of it were tables. */
function crashOfOldReader(value: TomlTable, scan: TomlScan): HostsFile | undefined {
  const hosts = value['host'];
  if (!isTomlTable(hosts) || Object.keys(hosts).length < 2) return undefined;
  const plain = Object.entries(hosts).find(([, item]) => !isTomlTable(item));
  if (plain === undefined) return undefined;
  const [key, item] = plain;
  return {
    kind: 'crash',
    error: `PANIC: interface conversion: interface {} is ${goType(item)}, not *toml.Tree`,
    scan,
    ...tomlPosition(scan, ['host', key]),
  };
}

function crashOfDottedKey(scan: TomlScan, behaviour: ContainerdBehaviour): HostsFile | undefined {
  const key = behaviour.has('dotted-flag-panics') ? crashingKey(scan) : undefined;
  if (key === undefined) return undefined;
  const { line, column } = key;
  const error = 'PANIC: reflect: reflect.Value.Set using unaddressable value';
  return { kind: 'crash', error, scan, line, column };
}

function goType(value: TomlValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (isTomlTable(value)) return '*toml.Tree';
  if (Array.isArray(value)) return value.some(isTomlTable) ? '[]*toml.Tree' : '[]interface {}';
  return 'time.Time';
}

function readEntries(
  value: TomlTable,
  scan: TomlScan,
  source: HostsSource,
  behaviour: ContainerdBehaviour,
): HostsFile {
  if (behaviour.has('needs-host-table') && !isTomlTable(value['host'])) {
    const reason = 'there is no [host] table';
    return { kind: 'discarded', cause: 'no-host-table', reason, scan };
  }
  try {
    const isStrict = behaviour.has('go-toml-2');
    checkTypes(value, behaviour);
    const hosts = fieldOf(value, 'host', isStrict);
    const tables = isTomlTable(hosts) ? hosts : {};
    const order = behaviour.has('mirrors-by-header') ? headerOrder(scan) : lineOrder(value, scan);
    const context = { source, scan, behaviour };
    const entries = order.map((url) => {
      const table = tables[url];
      return readHostEntry(url, isTomlTable(table) ? table : {}, ['host', url], context);
    });
    const server = fieldOf(value, 'server', isStrict);
    const root = readHostEntry(typeof server === 'string' ? server : '', value, [], context);
    return { kind: 'entries', entries: [...entries, root], scan };
  } catch (error) {
    if (!(error instanceof BadHostsFile)) throw error;
    return {
      kind: 'discarded',
      cause: 'value',
      reason: error.message,
      scan,
      ...tomlPosition(scan, error.path),
    };
  }
}

/** 2.x: each `[host."URL"...]` header that names another host than the one before it. */
function headerOrder(scan: TomlScan): readonly string[] {
  const order: string[] = [];
  for (const { kind, path } of scan.headers) {
    const [first, url] = path;
    if (kind !== 'table' || first !== 'host' || url === undefined) continue;
    if ((order.at(-1) ?? '') !== url) order.push(url);
  }
  return order;
}

/** 1.x: every table below `host`, however it is written, by the line in which it first appears. */
function lineOrder(value: TomlTable, scan: TomlScan): readonly string[] {
  const hosts = value['host'];
  if (!isTomlTable(hosts)) return [];
  const lines = Object.keys(hosts).map((url) => ({ url, line: firstLine(scan, url) }));
  return lines.sort((a, b) => a.line - b.line || compareText(a.url, b.url)).map(({ url }) => url);
}

function firstLine(scan: TomlScan, url: string): number {
  const places = [...scan.headers, ...scan.keys].filter(
    ({ path }) => path[0] === 'host' && path[1] === url,
  );
  return places.length === 0
    ? (tomlLine(scan, ['host']) ?? 1)
    : Math.min(...places.map(({ line }) => line));
}
