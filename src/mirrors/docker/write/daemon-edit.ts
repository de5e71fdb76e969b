/** Changes lists of daemon.json and keeps every other letter of the file. */

import { isDeepStrictEqual } from 'node:util';
import { applyTextEdits, type TextEdit } from '../../../documents/text-edit.ts';
import type { DaemonFile } from '../read/daemon-file.ts';

/** The lists that rules are about. */
export type DaemonLists = Readonly<
  Record<'registry-mirrors' | 'insecure-registries', readonly string[]>
>;

/** `{"debug": true}` and one mirror → the same with `registry-mirrors` behind it. */
export function editDaemonFile(file: DaemonFile, wanted: DaemonLists): string {
  const { text, root } = file;
  const changes = Object.entries(wanted).filter(
    ([key, list]) => !isDeepStrictEqual(listIn(file, key), list),
  );
  if (root === undefined) return `${JSON.stringify(Object.fromEntries(changes), null, 2)}\n`;
  const style = styleOf(text, root.keys[0]?.start);
  const added: string[] = [];
  const edits: TextEdit[] = [];
  for (const [key, list] of changes) {
    const value = listText(list, style);
    const found = root.fields.findLast(([name]) => name === key)?.[1];
    if (found === undefined) added.push(`${JSON.stringify(key)}: ${value}`);
    else edits.push({ start: found.start, end: found.end, text: value });
  }
  if (added.length > 0) edits.push(appended(added, root, style));
  return applyTextEdits(text, edits);
}

function listIn({ settings }: DaemonFile, key: string): readonly string[] {
  return key === 'registry-mirrors'
    ? settings['registry-mirrors']
    : settings['insecure-registries'];
}

/** What one step of indentation is; undefined for a file in one line. */
type Indent = string | undefined;

function styleOf(text: string, firstKey: number | undefined): Indent {
  if (firstKey === undefined) return '  ';
  const before = text.slice(text.lastIndexOf('\n', firstKey) + 1, firstKey);
  return text.slice(0, firstKey).includes('\n') && before.trim() === '' ? before : undefined;
}

function listText(list: readonly string[], indent: Indent): string {
  const items = list.map((item) => JSON.stringify(item));
  if (indent === undefined || items.length === 0) return `[${items.join(', ')}]`;
  const lines = items.map((item) => `${indent}${indent}${item}`);
  return `[\n${lines.join(',\n')}\n${indent}]`;
}

function appended(added: readonly string[], root: NonNullable<DaemonFile['root']>, indent: Indent) {
  const last = root.fields.at(-1)?.[1];
  const glue = indent === undefined ? ', ' : `,\n${indent}`;
  if (last !== undefined) {
    return { start: last.end, end: last.end, text: `${glue}${added.join(glue)}` };
  }
  return { start: root.start, end: root.end, text: `{\n  ${added.join(',\n  ')}\n}` };
}
