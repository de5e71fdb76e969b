import { scanToml } from '../../../documents/toml-scan.ts';

/** A text value that shall stand in a table: `config_path` in `plugins."...".registry`. */
export interface TomlSetting {
  readonly table: readonly string[];
  readonly key: string;
  readonly value: string;
}

/**
 * Sets text values in a TOML file and keeps everything else as it is, comments included: a line that
 * has the key is replaced, else one is added below the table's header, else the table at the end.
 */
export function editToml(text: string, settings: readonly TomlSetting[]): string {
  return settings.reduce(editOne, text);
}

/** The settings as TOML of their own: tables in the order given, one key a line. */
export function renderSettings(settings: readonly TomlSetting[]): string {
  const tables = Map.groupBy(settings, ({ table }) => headerOf(table));
  const parts = Array.from(tables, ([header, items]) =>
    [header, ...items.map((item) => `  ${lineOf(item)}`)].join('\n'),
  );
  return parts.join('\n\n');
}

/**
 * The same change in words, for a person: a key that is there is changed, a table that is there gets
 * a line, and what is not there is put at the end. `['/etc/x.toml:7: make it config_path = "/y"']`.
 * Each line can be followed as it stands: those that move others come last, from the bottom up.
 */
export function describeEdit(
  file: string,
  text: string,
  settings: readonly TomlSetting[],
): readonly string[] {
  const scan = scanToml(text);
  const changed: string[] = [];
  const added: { readonly line: number; readonly text: string }[] = [];
  const absent: TomlSetting[] = [];
  for (const setting of settings) {
    const key = scan.keys.find((item) => samePath(item.path, [...setting.table, setting.key]));
    const header = scan.headers.find(({ path }) => samePath(path, setting.table));
    const text = lineOf(setting);
    if (key !== undefined) changed.push(`${file}:${key.line}: make it ${text}`);
    else if (header === undefined) absent.push(setting);
    else added.push({ line: header.line, text: `below ${file}:${header.line}: add ${text}` });
  }
  const end = absent.length === 0 ? [] : [`at the end of ${file}: add\n${renderSettings(absent)}`];
  const bottomUp = added.sort((a, b) => b.line - a.line).map(({ text: step }) => step);
  return [...changed, ...end, ...bottomUp];
}

function editOne(text: string, setting: TomlSetting): string {
  const scan = scanToml(text);
  const lines = text.split('\n');
  const path = [...setting.table, setting.key];
  const key = scan.keys.find((item) => samePath(item.path, path));
  if (key !== undefined) {
    const indent = /^\s*/.exec(lines[key.line - 1] ?? '')?.[0] ?? '';
    const written = /^\s*(.*?)\s*=/.exec(lines[key.line - 1] ?? '')?.[1] ?? setting.key;
    return lines
      .with(key.line - 1, `${indent}${written} = ${JSON.stringify(setting.value)}`)
      .join('\n');
  }
  const header = scan.headers.find(
    (item) => item.kind === 'table' && samePath(item.path, setting.table),
  );
  if (header === undefined) {
    return `${text.trimEnd()}\n\n${headerOf(setting.table)}\n  ${lineOf(setting)}\n`;
  }
  return lines.toSpliced(header.line, 0, `  ${lineOf(setting)}`).join('\n');
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

function headerOf(table: readonly string[]): string {
  return `[${dottedKey(table)}]`;
}

/** `['plugins', 'a.b']` → `plugins."a.b"`. */
export function dottedKey(path: readonly string[]): string {
  return path
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
}

function lineOf({ key, value }: TomlSetting): string {
  return `${key} = ${JSON.stringify(value)}`;
}
