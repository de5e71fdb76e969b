/** Where a text that our parser takes for TOML is none for the library that reads registries.conf (BurntSushi/toml). */

import type { TomlItem, TomlScan } from '../../documents/toml-scan.ts';

/** Which TOML the library reads: 1.1 from BurntSushi/toml 1.6.0 on. */
export type TomlVersion = '1.0' | '1.1';

/** A place that the library refuses, in its words. */
export interface RefusedToml {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

/**
 * The first such place: `a = { b = 1, }` in TOML 1.0 → a comma behind the last item; `a = 2026-02-30` in
 * both, which our parser takes for 2 March.
 */
export function refusedToml(
  { keys, text }: TomlScan,
  version: TomlVersion,
): RefusedToml | undefined {
  return firstOf(keys, ({ value }) => faultIn(value, text, version));
}

function faultIn(item: TomlItem, text: string, version: TomlVersion): RefusedToml | undefined {
  if (item.kind === 'array') return firstOf(item.items, (part) => faultIn(part, text, version));
  const reason =
    item.kind === 'scalar'
      ? scalarFault(item.form, text.slice(item.start, item.end), version)
      : tableFault(item, version);
  if (reason !== undefined) return { reason, line: item.line, column: item.column };
  if (item.kind === 'scalar') return undefined;
  return firstOf(item.keys, ({ value }) => faultIn(value, text, version));
}

function tableFault(
  { lineBreakAt, closedAfterCommaAt }: Extract<TomlItem, { kind: 'inline-table' }>,
  version: TomlVersion,
): string | undefined {
  if (version === '1.1') return undefined;
  if (lineBreakAt !== undefined) return 'newlines not allowed within inline tables';
  return closedAfterCommaAt === undefined
    ? undefined
    : 'trailing comma not allowed in inline tables';
}

function scalarFault(form: string, written: string, version: TomlVersion): string | undefined {
  if (form === 'bare') {
    if (!fitsInt64(written)) return `${written} is out of range for int64`;
    const isWrong = !isRealDay(written) || (version === '1.0' && isShortTime(written));
    return isWrong ? `invalid datetime: "${written}"` : undefined;
  }
  if (version === '1.1' || !form.endsWith('basic')) return undefined;
  const letter = /^(?:[^\\]|\\[^ex])*\\([ex])/.exec(written)?.[1];
  return letter === undefined ? undefined : `invalid escape character '${letter}'`;
}

function fitsInt64(written: string): boolean {
  const digits = /^([+-]?)(0x[0-9a-f_]+|0o[0-7_]+|0b[01_]+|[0-9_]+)$/i.exec(written);
  if (digits === null) return true;
  const [, sign, size = '0'] = digits;
  const value = BigInt(size.replaceAll('_', ''));
  const signed = sign === '-' ? -value : value;
  return BigInt.asIntN(64, signed) === signed;
}

function isRealDay(written: string): boolean {
  const date = /^\d{4}-\d\d-\d\d/.exec(written)?.[0];
  if (date === undefined) return true;
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

function isShortTime(written: string): boolean {
  return /^(?:\d{4}-\d\d-\d\d[Tt ])?\d\d:\d\d(?!:)/.test(written);
}

function firstOf<Part>(
  parts: readonly Part[],
  faultOf: (part: Part) => RefusedToml | undefined,
): RefusedToml | undefined {
  for (const part of parts) {
    const found = faultOf(part);
    if (found !== undefined) return found;
  }
  return undefined;
}
