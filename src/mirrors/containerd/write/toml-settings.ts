/** Settings for containerd's main configuration, as a text of their own, and as a change of one. */

import { applyTextEdits, type TextEdit } from '../../../documents/text-edit.ts';
import {
  editToml,
  planTomlEdit,
  type TomlEdit,
  type TomlEdited,
} from '../../../documents/toml-edit.ts';
import { scanToml } from '../../../documents/toml-scan.ts';
import { tomlKeyText, tomlLineText } from '../../../documents/toml-write.ts';

/** A value that shall stand in a table: `config_path` in `plugins."...".registry`. */
export interface TomlSetting {
  readonly table: readonly string[];
  readonly key: string;
  readonly value: string | true;
}

/** The text with the settings, every other byte as it was; or where their form stands in the way. */
export function applySettings(text: string, settings: readonly TomlSetting[]): TomlEdited {
  return editToml(text, settings.map(asEdit));
}

/** The settings as TOML of their own: tables in the order given, one key a line. */
export function renderSettings(settings: readonly TomlSetting[]): string {
  const tables = Map.groupBy(settings, ({ table }) => `[${tomlKeyText(table)}]`);
  const parts = Array.from(tables, ([header, items]) =>
    [header, ...items.map((item) => `  ${lineOf(item)}`)].join('\n'),
  );
  return parts.join('\n\n');
}

/** `config_path = "/etc/containerd/certs.d" and sandbox_image = "registry.k8s.io/pause:3.9"`. */
export function nameSettings(settings: readonly TomlSetting[]): string {
  return settings.map(lineOf).join(' and ');
}

/**
 * The same change in words, for a person: a line that is there is changed, a table that is there gets
 * a line, and what is not there is put at the end. `['/etc/x.toml:7: make it config_path = "/y"']`.
 * Each line can be followed as it stands: those that move others come last, from the bottom up.
 */
export function describeSettings(
  file: string,
  text: string,
  settings: readonly TomlSetting[],
): readonly string[] {
  const scan = scanToml(text);
  const planned = settings.map((setting) => ({
    setting,
    edit: planTomlEdit(scan, asEdit(setting))?.[0],
  }));
  const absent = planned.filter(({ edit }) => edit === undefined || edit.start === text.length);
  const edits = planned.flatMap(({ edit }) =>
    edit === undefined || edit.start === text.length ? [] : [edit],
  );
  const isNewLine = (edit: TextEdit) => /^\r?\n/.test(edit.text);
  const changed = Map.groupBy(
    edits.filter((edit) => !isNewLine(edit)),
    (edit) => linesOf(text, edit).join('-'),
  );
  const added = edits.filter(isNewLine).sort((a, b) => b.start - a.start);
  return [
    ...Array.from(
      changed,
      ([lines, group]) => `${file}:${lines}: make it ${lineWith(text, group)}`,
    ),
    ...(absent.length === 0
      ? []
      : [`at the end of ${file}: add\n${renderSettings(absent.map(({ setting }) => setting))}`]),
    ...added.map(
      (edit) => `below ${file}:${linesOf(text, edit).join('-')}: add ${edit.text.trim()}`,
    ),
  ];
}

/** The first and the last line that an edit touches, counted from 1; one number if they are the same. */
function linesOf(text: string, { start, end }: TextEdit): readonly number[] {
  return [...new Set([start, end].map((at) => text.slice(0, at).split('\n').length))];
}

/** The lines of the edits as they are afterwards. */
function lineWith(text: string, edits: readonly TextEdit[]): string {
  const from = text.lastIndexOf('\n', Math.min(...edits.map(({ start }) => start)) - 1) + 1;
  const found = text.indexOf('\n', Math.max(...edits.map(({ end }) => end)));
  const line = text.slice(from, found === -1 ? text.length : found);
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }));
  return applyTextEdits(line, moved).trim();
}

function asEdit({ table, key, value }: TomlSetting): TomlEdit {
  return { path: [...table, key], value };
}

function lineOf({ key, value }: TomlSetting): string {
  return tomlLineText([key], value);
}
