/** R002: what nobody reads, because it stands in the wrong place or is no key at all. */

import {
  commentStart,
  indentOf,
  lineEnd,
  lineEnding,
  nextLine,
} from '../../../documents/toml-lines.ts';
import { allTomlKeys } from '../../../documents/toml-places.ts';
import type { TomlHeader, TomlKey, TomlScan } from '../../../documents/toml-scan.ts';
import type { Mend, Noticed } from '../../finding.ts';
import type { GoShape } from '../read/decoded-table.ts';
import { registriesShape } from '../read/registries-shape.ts';
import type { LintedFile } from './linted-file.ts';

/** A key or header that no program reads, once each; what stands below it is not named again. */
export function ignoredKeys({ path, file }: LintedFile): readonly Noticed[] {
  if (file === undefined) return [];
  const { scan } = file.decoded;
  const unknown = scan.headers.filter((header) => !isKnown(header.path));
  const keys = Array.from(allTomlKeys(scan.keys)).filter((key) => {
    const above = key.path.slice(0, -1);
    return isKnown(above) && !isKnown(key.path);
  });
  const repeated = new Set<string>();
  const headers = unknown.filter(({ path: names }) => {
    const isBelow = unknown.some((other) => other.path.length < names.length);
    const isAgain = repeated.has(names.join('\0'));
    repeated.add(names.join('\0'));
    return !isBelow && !isAgain;
  });
  const source = { path, scan };
  return [
    ...headers.map((header) => ignoredHeader(header, path)),
    ...keys.map((key) => ignoredKey(key, source)),
  ];
}

function isKnown(path: readonly string[]): boolean {
  let shape: GoShape | undefined = registriesShape;
  for (const name of path) {
    // Whatever stands below a single value or in a map is no key of ours.
    const fields = fieldsOf(shape);
    if (fields === undefined) return true;
    shape = fields[name.toLowerCase()];
    if (shape === undefined) return false;
  }
  return true;
}

function fieldsOf(shape: GoShape): Readonly<Record<string, GoShape>> | undefined {
  if (typeof shape === 'string') return undefined;
  return 'list' in shape ? fieldsOf(shape.list) : shape.fields;
}

function ignoredHeader({ raw, kind, line, column }: TomlHeader, file: string): Noticed {
  const written = kind === 'table' ? `[${raw}]` : `[[${raw}]]`;
  const isMirror = /mirror/i.test(raw);
  return {
    rule: 'R002',
    origin: { file, line, column },
    message: `${written} is read by nobody`,
    fix: isMirror
      ? 'Write [[registry.mirror]] below the [[registry]] that it is for.'
      : 'Correct the name, or remove the table: only [[registry]], [[registry.mirror]] and [aliases] are read.',
  };
}

interface Source {
  readonly path: string;
  readonly scan: TomlScan;
}

function ignoredKey(key: TomlKey, { path: file, scan }: Source): Noticed {
  const name = key.path.at(-1) ?? '';
  const origin = { file, line: key.line, column: key.column };
  if (key.path.length > 1 && isKnown([name])) {
    const mend = moveToTop(key, { path: file, scan });
    return {
      rule: 'R002',
      origin,
      message: `${name} belongs to the table above it, where nobody reads it`,
      fix: 'Move it above the first table of the file.',
      ...(mend === undefined ? {} : { mend }),
    };
  }
  const fix =
    name.toLowerCase() === 'mirrors'
      ? 'Write each mirror as a table: [[registry.mirror]] with location.'
      : 'Correct the name, or remove it.';
  return { rule: 'R002', origin, message: `${name} is no key that is read here`, fix };
}

/** With the comments above and behind it; those above the first table stay with that. */
function moveToTop(key: TomlKey, { path, scan }: Source): Mend | undefined {
  const name = key.path.at(-1);
  const isSet = scan.keys.some((other) => other.path.length === 1 && other.path[0] === name);
  const [first] = scan.headers;
  if (isSet || first === undefined || key.headerLength + key.parts.length !== key.path.length) {
    return undefined;
  }
  const { text } = scan;
  const isAlone = indentOf(text, key).trim() === '';
  if (!isAlone || first.start > key.start) return undefined;
  const top = commentStart(text, first);
  const start = commentStart(text, key);
  const end = lineEnd(text, key);
  const moved = `${text.slice(start, end)}${lineEnding(text)}`;
  const edits = [
    { start: top, end: top, text: moved },
    { start, end: nextLine(text, end), text: '' },
  ];
  return { kind: 'edit', path, edits };
}
