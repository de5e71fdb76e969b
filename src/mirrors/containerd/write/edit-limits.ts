/** Which main configurations single lines cannot be put into, found out before anybody is told to. */

import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { isTomlTable, parseToml, type TomlTable } from '../../../documents/toml.ts';
import { scanToml, type TomlKey } from '../../../documents/toml-scan.ts';
import { MirrorConfigNotEditable } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import { dottedKey, editToml, renderSettings, type TomlSetting } from './toml-edit.ts';

/** Refuses bytes that a change by lines would not keep: text cannot hold them. */
export function refuseBytes(
  file: string,
  bytes: Uint8Array,
  settings: readonly TomlSetting[],
): void {
  if (isUtf8(bytes)) return;
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1'))) + 1;
  const reason = 'the line has a byte that is not UTF-8';
  throw notEditable({ file, line, reason, settings });
}

/**
 * Refuses a text in which the settings are written in a form that `editToml` cannot change: inline
 * tables, dotted keys, texts over several lines. Throws MIRROR_CONFIG_NOT_EDITABLE with the line.
 */
export function refuseForm(file: string, text: string, settings: readonly TomlSetting[]): void {
  const setting = settings.find((item) => !doesWhatItSays(text, item));
  if (setting === undefined) return;
  throw notEditable({ file, ...formOf(text, setting), settings });
}

function notEditable(limit: {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  readonly settings: readonly TomlSetting[];
}): Error {
  const { file, line, reason, settings } = limit;
  const place = formatOrigin({ file, line });
  return new MirrorConfigNotEditable({ place, reason, insert: renderSettings(settings) });
}

/** True when the edited text means the old one with just this one value set. */
function doesWhatItSays(text: string, setting: TomlSetting): boolean {
  const before = parseToml(text, '');
  const after = parseToml(editToml(text, [setting]), '');
  if (!before.ok || !after.ok) return false;
  const path = [...setting.table, setting.key];
  const wanted = withValue(before.value, path, setting.value);
  // The parser's tables have no prototype; the clones of both sides have the same one.
  return isDeepStrictEqual(structuredClone(after.value), structuredClone(wanted));
}

function withValue(table: TomlTable, path: readonly string[], value: string): TomlTable {
  const [key = '', ...rest] = path;
  if (rest.length === 0) return { ...table, [key]: value };
  const below = table[key];
  return { ...table, [key]: withValue(isTomlTable(below) ? below : {}, rest, value) };
}

function formOf(text: string, setting: TomlSetting): { line: number; reason: string } {
  const { keys } = scanToml(text);
  const path = [...setting.table, setting.key];
  const whole = keys.find((key) => startsWith(path, key.path));
  if (whole !== undefined) {
    const form = whole.isInlineTable ? 'an inline table' : 'a text over several lines';
    return { line: whole.line, reason: `${dottedKey(whole.path)} is ${form}` };
  }
  const dotted = keys.find((key) => isDottedInto(key, setting.table));
  return {
    line: dotted?.line ?? 1,
    reason: `${dottedKey(setting.table)} is written in dotted keys`,
  };
}

/** `registry.x = 1` below the header of what holds `registry`. */
function isDottedInto({ path, headerLength }: TomlKey, table: readonly string[]): boolean {
  return headerLength < table.length && startsWith(path, table);
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((part, index) => path[index] === part);
}
