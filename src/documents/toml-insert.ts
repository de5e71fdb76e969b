/** Plans where a new key goes into a TOML text, with a table of its own if need be. */

import type { TextEdit } from './text-edit.ts';
import {
  commentsEnd,
  indentOf,
  isAtOrBelow,
  lineEnd,
  lineEnding,
  lineEndingAt,
  nextLine,
  type TomlStatement,
  tomlStatements,
} from './toml-lines.ts';
import { tomlItem } from './toml-places.ts';
import type { TomlItem, TomlKey, TomlScan, TomlStep } from './toml-scan.ts';
import type { TomlNode } from './toml-tree.ts';
import {
  type NewTomlTable,
  type NewTomlValue,
  tomlLineText,
  tomlTableLines,
  tomlValueText,
} from './toml-write.ts';

type Edits = readonly TextEdit[] | undefined;

/**
 * Sets the value at a path. A value that is there is replaced, its comment stays. A new key goes below
 * the header of its table, behind dotted keys of the same table, or into the inline table that its table
 * is; where the table is not there either, it goes to the end. Undefined where the text has no place.
 */
export function planSetting(scan: TomlScan, path: readonly TomlStep[], value: NewTomlValue): Edits {
  const written = tomlItem(scan, path);
  if (written !== undefined) {
    return [{ start: written.start, end: written.end, text: tomlValueText(value) }];
  }
  const owner = prefixesOf(path).find((above) => tomlItem(scan, above) !== undefined);
  const item = owner === undefined ? undefined : tomlItem(scan, owner);
  if (owner !== undefined && item !== undefined) {
    const names = namesOnly(path.slice(owner.length));
    return names && intoBraces(scan.text, item, tomlLineText(names, value));
  }
  const above = prefixesOf(path).find((prefix) => scan.root.at(prefix) !== undefined) ?? [];
  const rest = namesOnly(path.slice(above.length));
  const node = scan.root.at(above);
  return rest && node && planBelow(scan, node, rest, value);
}

/** Puts a dotted key below a table that no value is; what is missing of it becomes a header. */
function planBelow(
  scan: TomlScan,
  node: TomlNode,
  rest: readonly string[],
  value: NewTomlValue,
): Edits {
  const [header] = node.headers;
  const isDirect = rest.length === 1;
  if (header !== undefined && isDirect) return belowHeader(scan, header, tomlLineText(rest, value));
  const dotted = header === undefined ? lastDotted(scan, node) : undefined;
  if (dotted !== undefined) {
    const path = [...node.path.slice(dotted.headerLength), ...rest];
    return [belowLine(scan.text, dotted, tomlLineText(path, value))];
  }
  if (node === scan.root && isDirect) return [atTop(scan, tomlLineText(rest, value))];
  const [key = ''] = rest.slice(-1);
  return planTable(scan, [...node.steps, ...rest.slice(0, -1)], { [key]: value });
}

/** A header of its own for a table that nothing but tables inside it has named yet. */
function planTable(scan: TomlScan, path: readonly TomlStep[], table: NewTomlTable): Edits {
  const node = scan.root.at(path);
  const isTaken = node !== undefined && (node.headers.length > 0 || node.keys.length > 0);
  if (isTaken || typeof path.at(-1) !== 'string') return undefined;
  return [newBlock(scan, path, tomlTableLines(path.filter(isName), table))];
}

function intoBraces(text: string, table: TomlItem, line: string): Edits {
  if (table.kind !== 'inline-table') return undefined;
  const last = table.keys.at(-1)?.value.end;
  if (last !== undefined) return [{ start: last, end: last, text: `, ${line}` }];
  const at = table.start + 1;
  return [{ start: at, end: at, text: text[at] === '}' ? ` ${line} ` : ` ${line}` }];
}

function belowHeader(scan: TomlScan, header: TomlStatement, line: string): Edits {
  const next = tomlStatements(scan).find(({ start }) => start > header.start);
  const isSibling = next !== undefined && 'value' in next;
  const indent = isSibling ? indentOf(scan.text, next) : `${indentOf(scan.text, header)}  `;
  return [newLine(scan.text, lineEnd(scan.text, header), `${indent}${line}`)];
}

function belowLine(text: string, statement: TomlStatement, line: string): TextEdit {
  return newLine(text, lineEnd(text, statement), `${indentOf(text, statement)}${line}`);
}

function newLine(text: string, at: number, line: string): TextEdit {
  return { start: at, end: at, text: `${lineEndingAt(text, at)}${line}` };
}

/** The last `registry.x = 1` below the header of what holds `registry`. */
function lastDotted(scan: TomlScan, node: TomlNode): TomlKey | undefined {
  return scan.keys.findLast(
    ({ steps, headerLength }) => headerLength < node.path.length && isAtOrBelow(steps, node.steps),
  );
}

/** Behind the last key of the root; else above all tables, but below a comment about the file. */
function atTop({ text, keys }: TomlScan, line: string): TextEdit {
  const last = keys.findLast(({ headerLength }) => headerLength === 0);
  if (last !== undefined) return belowLine(text, last, line);
  const end = lineEnding(text);
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const comments = /^(?:[ \t]*#[^\n]*\n)*/.exec(text.slice(at))?.[0].length ?? 0;
  const isApart = /^[ \t]*\r?\n|^[ \t]*$/.test(text.slice(at + comments));
  if (isApart) at += comments;
  const gap = isApart ? '' : end;
  return { start: at, end: at, text: `${line}${end}${gap}` };
}

/** Behind all of the list's item that the path is in; else at the end of the text. */
function newBlock(
  { ...scan }: TomlScan,
  path: readonly TomlStep[],
  lines: readonly string[],
): TextEdit {
  const { text } = scan;
  const end = lineEnding(text);
  const item = path.slice(0, path.findLastIndex((step) => typeof step === 'number') + 1);
  const statements = tomlStatements(scan);
  const index = statements.findLastIndex(({ steps }) => isAtOrBelow(steps, item));
  const last = item.length === 0 ? undefined : statements[index];
  const at = last && commentsEnd(text, last, statements[index + 1]);
  if (at !== undefined && nextLine(text, at) < text.length) {
    const isApart = /^[ \t]*\r?\n/.test(text.slice(nextLine(text, at)));
    return newLine(text, at, `${isApart ? end : ''}${lines.join(end)}`);
  }
  const isEmpty = /^\uFEFF?\s*$/.test(text);
  const gap = isEmpty || /\n[ \t]*\r?\n$/.test(text) ? '' : text.endsWith('\n') ? end : end + end;
  return { start: text.length, end: text.length, text: `${gap}${lines.join(end)}${end}` };
}

/** `['a', 'b', 'c']` → `['a', 'b']`, `['a']`, `[]`. */
function prefixesOf(path: readonly TomlStep[]): readonly (readonly TomlStep[])[] {
  return path.map((_, index) => path.slice(0, path.length - 1 - index));
}

function namesOnly(steps: readonly TomlStep[]): readonly string[] | undefined {
  return steps.every(isName) ? steps : undefined;
}

function isName(step: TomlStep): step is string {
  return typeof step === 'string';
}
