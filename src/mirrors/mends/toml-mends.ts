/** Safe changes of a TOML text, made from the places that a scan found. */

import { tomlPlace } from '../../documents/toml-places.ts';
import type { TomlKey, TomlScan, TomlSpan } from '../../documents/toml-scan.ts';
import type { Mend } from '../finding.ts';

type Edit = Extract<Mend, { kind: 'edit' }>['edits'][number];

/** Edits of one file as a mend: none is one that cannot be made. */
export function editMend(
  path: string,
  edits: ReadonlyArray<Edit | undefined>,
): { readonly mend?: Mend } {
  const made = edits.filter((edit) => edit !== undefined);
  if (made.length === 0 || made.length < edits.length) return {};
  return { mend: { kind: 'edit', path, edits: made } };
}

/** What stands in the span becomes `text`. */
export function replaced({ start, end }: Pick<TomlSpan, 'start' | 'end'>, text: string): Edit {
  return { start, end, text };
}

/** The key goes with its lines; undefined where it shares a line with something else. */
export function withoutKey({ text }: TomlScan, key: TomlKey): Edit | undefined {
  const start = lineStart(text, key.start);
  const end = lineEnd(text, key.value.end);
  const isAlone =
    text.slice(start, key.start).trim() === '' &&
    /^\s*(?:#.*)?$/.test(text.slice(key.value.end, end).replace(/\r?\n$/, ''));
  return isAlone ? { start, end, text: '' } : undefined;
}

/**
 * A line in a table, behind its header; at the top behind the last key there. Undefined for a table
 * without a header.
 */
export function withLine(scan: TomlScan, table: readonly string[], line: string): Edit | undefined {
  const { text } = scan;
  if (table.length === 0) return inserted(text, endOfRoot(scan), line);
  const header = tomlPlace(scan, table);
  if (header === undefined || 'value' in header || header.kind !== 'table') return undefined;
  const at = lineEnd(text, header.end);
  const indent = /^[ \t]*(?=[^\s#[])/.exec(text.slice(at))?.[0] ?? '  ';
  return inserted(text, at, `${indent}${line}`);
}

/** A line in front of the first header, or at the end where there is none. */
export function withRootLine(scan: TomlScan, line: string): Edit {
  return inserted(scan.text, endOfRoot(scan), line);
}

/** A line behind everything else. */
export function withLastLine({ text }: TomlScan, line: string): Edit {
  return inserted(text, text.length, line);
}

function endOfRoot({ text, keys }: TomlScan): number {
  const last = keys.findLast(({ headerLength }) => headerLength === 0);
  if (last !== undefined) return lineEnd(text, last.value.end);
  return text.startsWith('\uFEFF') ? 1 : 0;
}

function inserted(text: string, at: number, line: string): Edit {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const isInLine = at > 0 && text[at - 1] !== '\n' && text[at - 1] !== '\uFEFF';
  return { start: at, end: at, text: `${isInLine ? lineBreak : ''}${line}${lineBreak}` };
}

function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith('\uFEFF') ? 1 : start;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
