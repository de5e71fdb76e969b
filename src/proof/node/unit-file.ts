/** The parts of systemd's file formats that say with which environment a service starts. */

/** One line of a unit: `[Service]` `Environment=A=b` → section, key and value. */
export interface UnitSetting {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/**
 * The settings of a unit or drop-in, in their order: comments are left out, lines that end in a
 * backslash go on. What is no setting is skipped, as systemd does it.
 * Source: systemd.syntax(7).
 */
export function readUnitFile(text: string): readonly UnitSetting[] {
  const settings: UnitSetting[] = [];
  let section = '';
  for (const line of logicalLines(text, ' ')) {
    const header = /^\[(.*)\]$/.exec(line)?.[1];
    const [, key, value = ''] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    if (header !== undefined) section = header;
    else if (key !== undefined) settings.push({ section, key, value });
  }
  return settings;
}

/** One variable: its name and its value. */
export type Assignment = readonly [name: string, value: string];

const piece = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\.|[^\s"'\\]`;

/** Words with their quotes and escapes undone: `"A=b c" 'D=e'` → `['A=b c', 'D=e']`. */
export function splitWords(value: string): readonly string[] {
  return (value.match(new RegExp(`(?:${piece})+`, 'g')) ?? []).map(unquote);
}

/** `Environment="A=b c" D=e` → `[['A', 'b c'], ['D', 'e']]`; words without `=` are no variables. */
export function readAssignments(value: string): readonly Assignment[] {
  return splitWords(value).flatMap(assignment);
}

/**
 * What a unit is called, put into a setting: `('/etc/default/%N', 'k3s.service')` →
 * `/etc/default/k3s`; `%%` is a percent sign. Specifiers that only the running system knows stay.
 * Source: systemd.unit(5), Specifiers.
 */
export function expandSpecifiers(value: string, unit: string): string {
  const name = unit.replace(/\.[a-z]+$/, '');
  const prefix = name.replace(/@.*$/, '');
  const known: Readonly<Record<string, string>> = { n: unit, N: name, p: prefix, '%': '%' };
  return value.replace(/%(.)/g, (all, letter: string) => known[letter] ?? all);
}

/** The lines of an EnvironmentFile: `A="b c"` → `['A', 'b c']`. Source: systemd.exec(5). */
export function readEnvironmentFile(text: string): readonly Assignment[] {
  return logicalLines(text, '').flatMap((line) =>
    assignment(line).map(([name, value]): Assignment => [name.trimEnd(), unquote(value.trim())]),
  );
}

function assignment(text: string): readonly Assignment[] {
  const at = text.indexOf('=');
  return at < 1 ? [] : [[text.slice(0, at), text.slice(at + 1)]];
}

/** `joint` stands where a backslash ended a line. Comments do not end a line that goes on. */
function logicalLines(text: string, joint: string): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*[#;]/.test(line)) continue;
    const whole = open + line;
    if (whole.endsWith('\\')) open = whole.slice(0, -1) + joint;
    else {
      open = '';
      lines.push(whole.trim());
    }
  }
  return [...lines, open.trim()].filter((line) => line !== '');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', s: ' ', t: '\t' };

function unquote(text: string): string {
  const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\\.)/gs;
  return text.replace(quoted, (_, double?: string, single?: string, escaped?: string) =>
    (double ?? single ?? escaped ?? '').replace(
      /\\(.)/gs,
      (__, sign: string) => escapes[sign] ?? sign,
    ),
  );
}
