/**
 * Writes plain data as YAML: the same value is the same bytes (promise P9), on every machine.
 *
 * Keys come in the order of the objects; undefined fields are left out. Text is plain where every
 * reader takes it for text (also those of YAML 1.1), else in double quotes. A mapping in a list that
 * has only a few short scalars takes one line. `header` becomes comment lines at the top.
 *
 * `writeYaml({ a: ['x', '1.30'] })` → `a:\n  - x\n  - "1.30"\n`. Ends with a line break.
 * Throws a TypeError for what YAML has no form for: functions, symbols, bigints, NaN.
 */
export function writeYaml(value: unknown, header: readonly string[] = []): string {
  const comment = header.map((line) => (line === '' ? '#\n' : `# ${line}\n`)).join('');
  const lines: string[] = [];
  if (isBlock(value)) writeBlock(value, '', lines);
  else lines.push(inline(value));
  return `${comment}${lines.join('\n')}\n`;
}

type Block = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Something that takes lines of its own: a list or mapping with content. */
function isBlock(value: unknown): value is Block {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null && fieldsOf(value).length > 0;
}

function fieldsOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

function writeBlock(value: Block, indent: string, lines: string[]): void {
  if (isList(value)) {
    for (const item of value) writeItem(item, indent, lines);
    return;
  }
  for (const [key, item] of fieldsOf(value)) {
    if (isBlock(item)) {
      lines.push(`${indent}${scalar(key)}:`);
      writeBlock(item, `${indent}  `, lines);
    } else lines.push(`${indent}${scalar(key)}: ${inline(item)}`);
  }
}

/** The first line of a nested block stands behind the dash, the others below it. */
function writeItem(item: unknown, indent: string, lines: string[]): void {
  if (!isBlock(item)) {
    lines.push(`${indent}- ${inline(item)}`);
    return;
  }
  const short = flow(item);
  if (short !== undefined) {
    lines.push(`${indent}- ${short}`);
    return;
  }
  const start = lines.length;
  writeBlock(item, `${indent}  `, lines);
  const first = lines[start] ?? '';
  lines[start] = `${indent}- ${first.slice(indent.length + 2)}`;
}

const MOST_FLOW_FIELDS = 5;
const LONGEST_FLOW_LINE = 220;

/** `{digest: sha256:…, size: 12}`, if it is short and flat enough. */
function flow(value: Block): string | undefined {
  if (isList(value)) return undefined;
  const fields = fieldsOf(value);
  if (fields.length > MOST_FLOW_FIELDS || fields.some(([, item]) => isBlock(item)))
    return undefined;
  const text = `{${fields.map(([key, item]) => `${scalar(key)}: ${inline(item)}`).join(', ')}}`;
  return text.length <= LONGEST_FLOW_LINE ? text : undefined;
}

function isList(value: Block): value is readonly unknown[] {
  return Array.isArray(value);
}

function inline(value: unknown): string {
  if (typeof value === 'string') return scalar(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value))
    return Object.is(value, -0) ? '-0.0' : String(value);
  if (Array.isArray(value)) return '[]';
  if (typeof value === 'object') return '{}';
  throw new TypeError(`YAML has no form for ${typeof value} ${String(value)}`);
}

/** Words and paths that no reader takes for anything but text, also inside `{…}`. */
const plain = /^[A-Za-z_/](?:[\w./@+-]|:(?=[\w./@+-])|[ ](?=[\w./@+]))*$/;
/** What YAML 1.1 or 1.2 reads as true, false, null, infinity or not a number. */
const notText = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;

function scalar(text: string): string {
  if (plain.test(text) && !notText.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
