/** Reads bytes as one JSON object and names what else they are. */

type Refuse = (reason: string, cause?: unknown) => Error;

/**
 * `{"a":1}` → `{ a: 1 }`. Throws what `refuse` makes for anything else: HTML, broken JSON, bytes
 * that are not UTF-8, a list, or a top-level field written twice. Letter case does not tell fields
 * apart here, since Go's reader takes `Layers` for `layers`.
 */
export function parseObject(bytes: Uint8Array, refuse: Refuse): Record<string, unknown> {
  const text = decode(bytes, refuse);
  if (text.trim() === '') throw refuse('it is empty');
  if (text.trimStart().startsWith('<')) throw refuse('it is an HTML or XML page, not JSON');
  const value = parse(text, refuse);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw refuse('it is JSON, but not an object');
  }
  const twice = repeatedField(text);
  if (twice !== undefined) throw refuse(`the field ${twice} is written twice`);
  return { ...value };
}

function decode(bytes: Uint8Array, refuse: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw refuse('it is not UTF-8 text', error);
  }
}

function parse(text: string, refuse: Refuse): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw refuse('it is not JSON', error);
  }
}

/** JSON.parse keeps the last of two equal fields without a word, so look at the text itself. */
function repeatedField(text: string): string | undefined {
  const seen = new Set<string>();
  for (const field of topLevelFields(text)) {
    const name = field.toLowerCase();
    if (seen.has(name)) return field;
    seen.add(name);
  }
  return undefined;
}

const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}[\]]/g;

/** The fields of the outermost object of valid JSON text, in order, unescaped. */
function* topLevelFields(text: string): Generator<string> {
  let depth = 0;
  for (const [token, quoted, colon] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && colon !== undefined) yield String(JSON.parse(`"${quoted}"`));
  }
}
