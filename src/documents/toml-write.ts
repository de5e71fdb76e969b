/** Writes keys, values and tables as TOML 1.0. */

/** A value to write: whole numbers become integers. */
export type NewTomlValue =
  | string
  | number
  | bigint
  | boolean
  | readonly NewTomlValue[]
  | NewTomlTable;

/** A table that is to be written, by its keys. */
export type NewTomlTable = { readonly [key: string]: NewTomlValue };

/** `['plugins', 'a.b']` → `plugins."a.b"`. */
export function tomlKeyText(path: readonly string[]): string {
  return path.map((name) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : tomlText(name))).join('.');
}

/** `['a', 1]` → `["a", 1]`, `{ b: true }` → `{ b = true }`: always on one line. */
export function tomlValueText(value: NewTomlValue): string {
  if (typeof value === 'string') return tomlText(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(tomlValueText).join(', ')}]`;
  const keys = Object.entries(value).map(([key, item]) => tomlLineText([key], item));
  return keys.length === 0 ? '{}' : `{ ${keys.join(', ')} }`;
}

/** `(['a', 'b'], 1)` → `a.b = 1`. */
export function tomlLineText(path: readonly string[], value: NewTomlValue): string {
  return `${tomlKeyText(path)} = ${tomlValueText(value)}`;
}

/**
 * The lines of a table under its header; tables inside get headers of their own, lists of tables too.
 *
 * `(['registry'], { location: 'a', mirror: [{ location: 'b' }] }, 'array-of-tables')` →
 * `[[registry]]`, `  location = "a"`, an empty line, `[[registry.mirror]]`, `  location = "b"`.
 */
export function tomlTableLines(
  path: readonly string[],
  table: NewTomlTable,
  kind: 'table' | 'array-of-tables' = 'table',
): readonly string[] {
  const name = tomlKeyText(path);
  const lines = [kind === 'table' ? `[${name}]` : `[[${name}]]`];
  const inner: string[] = [];
  for (const [key, value] of Object.entries(table)) {
    if (isTableList(value)) {
      for (const item of value)
        inner.push('', ...tomlTableLines([...path, key], item, 'array-of-tables'));
    } else if (isTable(value)) inner.push('', ...tomlTableLines([...path, key], value));
    else lines.push(`  ${tomlLineText([key], value)}`);
  }
  return [...lines, ...inner];
}

function tomlText(text: string): string {
  // JSON leaves DEL as it is, and TOML does not allow it.
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}

function isList(value: NewTomlValue): value is readonly NewTomlValue[] {
  return Array.isArray(value);
}

function isTable(value: NewTomlValue): value is NewTomlTable {
  return typeof value === 'object' && !isList(value);
}

function isTableList(value: NewTomlValue): value is readonly NewTomlTable[] {
  return isList(value) && value.length > 0 && value.every(isTable);
}
