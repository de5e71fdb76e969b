/** The one way from the bytes of a configuration file to its tables: as containerd's own parser. */

import { isUtf8 } from 'node:buffer';
import { parseToml, type TomlTable } from '../../documents/toml.ts';
import { scanToml, type TomlScan } from '../../documents/toml-scan.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import { faultOfDialect, type GoTomlDialect, type TomlFault } from './toml-one-zero.ts';

/** The tables, whole numbers as bigint, with the places of their keys; or why containerd does not read the file. */
export type GoToml =
  | { readonly ok: true; readonly value: TomlTable; readonly scan: TomlScan }
  | ({ readonly ok: false } & TomlFault);

/**
 * Reads a hosts.toml or config.toml as this version does. Never throws for bad input.
 *
 * 2.x refuses a byte order mark and every byte that is not UTF-8, in comments too; 1.x takes both.
 * Where our parser is more patient than Go's, the difference is in toml-one-zero.ts; where it is
 * stricter (1.x takes `a = 01`), a file counts as refused. Checked in test/conformance/go-toml.
 */
export function decodeGoToml(bytes: Uint8Array, behaviour: ContainerdBehaviour): GoToml {
  const dialect: GoTomlDialect = behaviour.has('go-toml-2') ? 'go-toml 2' : 'go-toml 1';
  const encoding = dialect === 'go-toml 2' ? encodingFault(bytes) : undefined;
  if (encoding !== undefined) return { ok: false, ...encoding };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.startsWith('\uFEFF\uFEFF')) return { ok: false, ...marked('two byte order marks') };
  const scan = scanToml(text);
  const parsed = parseToml(dialect === 'go-toml 1' ? withoutSecondHost(text, scan) : text, '', {
    integersAsBigInt: true,
  });
  if (!parsed.ok) {
    const { message: reason, line, column } = parsed.problem;
    return { ok: false, kind: 'syntax', reason, line, column };
  }
  const fault = stopOf(scan) ?? faultOfDialect(scan, dialect) ?? headerFault(scan, dialect);
  return fault === undefined ? { ok: true, value: parsed.value, scan } : { ok: false, ...fault };
}

/** What our parser reads and the scan does not: it looks 64 tables deep, not a thousand. */
function stopOf({ stop }: TomlScan): TomlFault | undefined {
  if (stop === undefined) return undefined;
  const { reason, line, column } = stop;
  return { kind: 'syntax', reason, line, column };
}

function encodingFault(bytes: Uint8Array): TomlFault | undefined {
  if (isUtf8(bytes)) {
    const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return isMarked ? marked('a byte order mark') : undefined;
  }
  let line = 1;
  for (let from = 0; ; line += 1) {
    const end = bytes.indexOf(0x0a, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) break;
    from = end + 1;
  }
  const reason = 'the line has a byte that is not UTF-8, even if only in a comment';
  return { kind: 'encoding', reason, line };
}

function marked(by: string): TomlFault {
  return { kind: 'encoding', reason: `the file starts with ${by}`, line: 1 };
}

function headerFault({ headers }: TomlScan, dialect: GoTomlDialect): TomlFault | undefined {
  const bracket = headers.find(({ raw }) => /[[\]]/.test(raw));
  if (dialect === 'go-toml 2' || bracket === undefined) return undefined;
  const reason = `the header [${bracket.raw}] has brackets inside, such as an IPv6 address`;
  return { kind: 'brackets', reason, line: bracket.line, column: bracket.column };
}

/**
 * 1.x allows a `[host]` line behind `host."URL".key = ...`, which TOML forbids. Without keys of its
 * own the line says nothing, so it is blanked; the lines keep their numbers.
 */
function withoutSecondHost(text: string, { headers, keys }: TomlScan): string {
  const isDotted = keys.some(
    ({ path, headerLength }) => headerLength === 0 && path[0] === 'host' && path.length > 1,
  );
  const hasKeys = keys.some(({ path, headerLength }) => headerLength === 1 && path[0] === 'host');
  const header = headers.find(({ path }) => path.length === 1 && path[0] === 'host');
  if (!isDotted || hasKeys || header?.kind !== 'table') return text;
  return text
    .split('\n')
    .with(header.line - 1, '')
    .join('\n');
}
