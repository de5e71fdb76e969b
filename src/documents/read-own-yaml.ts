/**
 * Reads the YAML that writeYaml writes, some fifty times faster than the full parser: a Lock has
 * hundreds of thousands of lines, all of the same few forms.
 *
 * Gives undefined for everything that deviates from those forms by a single character, so the full
 * parser decides about it. What is accepted has the same value for both (a property test holds it).
 */
export function readOwnYaml(text: string): { readonly value: unknown } | undefined {
  if (!text.endsWith('\n')) return undefined;
  const lines = text.split('\n');
  lines.pop();
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const reader = new LineReader(lines, start === -1 ? lines.length : start);
  try {
    const value = reader.readBlock('');
    return reader.isAtEnd() ? { value } : undefined;
  } catch (error) {
    if (error instanceof Deviation) return undefined;
    throw error;
  }
}

/** Thrown and caught in this file only. */
class Deviation extends Error {}

const DEEPEST = 32;
const word = String.raw`[A-Za-z_/](?:[\w./@+-]|:(?=[\w./@+-])| (?=[\w./@+]))*`;
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const keyPattern = new RegExp(`^(${word}|${quoted}):(?: (.+))?$`);
const scalarPattern = String.raw`(${word}|${quoted}|-?(?:0|[1-9]\d{0,14})|\[\]|\{\})`;
const onlyScalar = new RegExp(`^${scalarPattern}$`);
const flowField = new RegExp(`(${word}|${quoted}): ${scalarPattern}(, (?=.)|\\}$)`, 'y');
/** Words that the full parser takes for something else; writeYaml quotes those of YAML 1.1 too. */
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...['true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['false', 'False', 'FALSE'].map((text) => [text, false] as const),
  ...['null', 'Null', 'NULL'].map((text) => [text, null] as const),
]);

class LineReader {
  readonly #lines: string[];
  #at: number;

  constructor(lines: string[], start: number) {
    this.#lines = lines;
    this.#at = start;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  /** A list or mapping whose lines start with `indent`, or one value alone. */
  readBlock(indent: string): unknown {
    const line = this.#lines[this.#at];
    if (line === undefined || !line.startsWith(indent) || indent.length > DEEPEST * 2) {
      throw new Deviation();
    }
    const content = line.slice(indent.length);
    if (content.startsWith('- ')) return this.#readList(indent);
    if (keyPattern.test(content)) return this.#readMapping(indent);
    if (indent !== '') throw new Deviation();
    this.#at += 1;
    return readScalar(content);
  }

  #readList(indent: string): unknown[] {
    const items: unknown[] = [];
    const dash = `${indent}- `;
    for (let line = this.#lines[this.#at]; line?.startsWith(dash); line = this.#lines[this.#at]) {
      const content = line.slice(dash.length);
      if (content.startsWith('- ') || keyPattern.test(content)) {
        // The first line of a nested block stands behind the dash: read it as if it stood below.
        this.#lines[this.#at] = `${indent}  ${content}`;
        items.push(this.readBlock(`${indent}  `));
      } else {
        items.push(readInline(content));
        this.#at += 1;
      }
    }
    this.#expectEnd(indent);
    return items;
  }

  #readMapping(indent: string): unknown {
    const fields = new Map<string, unknown>();
    for (let line = this.#lines[this.#at]; line?.startsWith(indent); line = this.#lines[this.#at]) {
      const [, keyText = '', valueText] = keyPattern.exec(line.slice(indent.length)) ?? [];
      if (keyText === '') break;
      this.#at += 1;
      const value = valueText === undefined ? this.readBlock(`${indent}  `) : readScalar(valueText);
      addField(fields, keyText, value);
    }
    this.#expectEnd(indent);
    return Object.fromEntries(fields);
  }

  /** Behind a block comes a line of an outer one, never a line that is indented in another way. */
  #expectEnd(indent: string): void {
    if (this.#lines[this.#at]?.startsWith(indent) === true) throw new Deviation();
  }
}

function addField(fields: Map<string, unknown>, keyText: string, value: unknown): void {
  const key = readScalar(keyText);
  if (typeof key !== 'string' || key === '__proto__' || fields.has(key)) throw new Deviation();
  fields.set(key, value);
}

function readInline(text: string): unknown {
  return text.startsWith('{') && text !== '{}' ? readFlow(text) : readScalar(text);
}

function readFlow(text: string): unknown {
  const fields = new Map<string, unknown>();
  flowField.lastIndex = 1;
  while (flowField.lastIndex < text.length) {
    const match = flowField.exec(text);
    if (match === null) throw new Deviation();
    addField(fields, match[1] ?? '', readScalar(match[2] ?? ''));
    if (match[3] === '}') return Object.fromEntries(fields);
  }
  throw new Deviation();
}

function readScalar(text: string): unknown {
  if (!onlyScalar.test(text)) throw new Deviation();
  if (text.startsWith('"')) return readQuoted(text);
  if (text === '[]') return [];
  if (text === '{}') return {};
  if (/^[-\d]/.test(text)) return Number(text);
  return constants.has(text) ? constants.get(text) : text;
}

function readQuoted(text: string): string {
  try {
    // The pattern begins and ends with a quote, so JSON can only hold text.
    return JSON.parse(text) as string;
  } catch {
    throw new Deviation();
  }
}
