import { scanToml } from '../../../documents/toml-headers.ts';

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
  const parts = table.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)));
  return `[${parts.join('.')}]`;
}

function lineOf({ key, value }: TomlSetting): string {
  return `${key} = ${JSON.stringify(value)}`;
}
