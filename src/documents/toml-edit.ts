/** Changes single things in a TOML text; every other byte stays: comments, order, ends of lines. */

import { isDeepStrictEqual } from 'node:util';
import { applyTextEdits, type TextEdit } from './text-edit.ts';
import { parseToml } from './toml.ts';
import { changedValue } from './toml-change.ts';
import { planSetting } from './toml-insert.ts';
import { nearestTomlPlace } from './toml-places.ts';
import { scanToml, type TomlScan, type TomlStep } from './toml-scan.ts';
import { type NewTomlValue, tomlKeyText } from './toml-write.ts';

/**
 * One change: gives a key a value, old or new. A number in a path is an item of a list:
 * `['registry', 1, 'location']`.
 */
export interface TomlEdit {
  readonly path: readonly TomlStep[];
  readonly value: NewTomlValue;
}

/** The new text, or why the change cannot be made and where the text stands in its way. */
export type TomlEdited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly line: number; readonly column: number };

/**
 * Makes the changes one after another: `editToml('a = 1 # x\n', [{ path: ['a'], value: 2 }])`
 * → `a = 2 # x\n`.
 *
 * Each step is checked: the new text must mean the old one with this one thing changed, else nothing is
 * done. A text that is not TOML is refused.
 */
export function editToml(text: string, edits: readonly TomlEdit[]): TomlEdited {
  let current = text;
  for (const edit of edits) {
    const edited = editOnce(current, edit);
    if (!edited.ok) return edited;
    current = edited.text;
  }
  return { ok: true, text: current };
}

/**
 * The change as places in the text, for a caller that shows or joins them; undefined where the text has
 * no place for it. Not checked: {@link editToml} is.
 */
export function planTomlEdit(
  scan: TomlScan,
  { path, value }: TomlEdit,
): readonly TextEdit[] | undefined {
  return planSetting(scan, path, value);
}

function editOnce(text: string, edit: TomlEdit): TomlEdited {
  const before = parseToml(text, '', { integersAsBigInt: true });
  if (!before.ok) {
    const { message: reason, line, column } = before.problem;
    return { ok: false, reason, line, column };
  }
  const scan = scanToml(text);
  const wanted = changedValue(before.value, edit);
  const edits = wanted === undefined ? undefined : planTomlEdit(scan, edit);
  const made = edits === undefined ? undefined : applyTextEdits(text, edits);
  const after = made === undefined ? undefined : parseToml(made, '', { integersAsBigInt: true });
  if (made !== undefined && wanted !== undefined && after?.ok) {
    if (isSame(after.value, wanted)) return { ok: true, text: made };
  }
  const place = nearestTomlPlace(scan, edit.path);
  const { line = 1, column = 1 } = place ?? {};
  return { ok: false, reason: reasonFor(scan, edit), line, column };
}

/** The parser's tables have no prototype; the clones of both sides have the same one. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(structuredClone(a), structuredClone(b));
}

function reasonFor(scan: TomlScan, { path }: TomlEdit): string {
  const name = tomlKeyText(path.map(String));
  const owner = nearestTomlPlace(scan, path);
  if (owner !== undefined && 'value' in owner && owner.path.length < path.length) {
    return `${tomlKeyText(owner.path)} is a value that cannot hold ${name}`;
  }
  return `${name} is written in a form that a change of single places does not reach`;
}
