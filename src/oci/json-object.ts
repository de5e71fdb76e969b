/** Reads bytes as one JSON object and names what else they are. */
import { foldName } from './go-json/decode.ts';
import { GoJsonError, type JsonNode, parseGoJson } from './go-json/tree.ts';

type Refuse = (reason: string, cause?: unknown) => Error;

/**
 * `{"a":1}` → `{ a: 1 }`. Throws what `refuse` makes for anything else: HTML, broken JSON, bytes
 * that are not UTF-8, a byte order mark, a list, or a field written twice. Among the fields of the
 * outermost object letter case does not count, since Go's reader takes `Layers` for `layers`.
 */
export function parseObject(bytes: Uint8Array, refuse: Refuse): Record<string, unknown> {
  const text = decode(bytes, refuse);
  if (text.trim() === '') throw refuse('it is empty');
  if (text.trimStart().startsWith('<')) throw refuse('it is an HTML or XML page, not JSON');
  const tree = parse(bytes, refuse);
  if (tree.kind !== 'object') throw refuse('it is JSON, but not an object');
  const twice = repeated(tree, foldName) ?? repeatedBelow(tree);
  if (twice !== undefined) throw refuse(`the field ${twice} is written twice`);
  // The same text was just found to be an object.
  return JSON.parse(text) as Record<string, unknown>;
}

function decode(bytes: Uint8Array, refuse: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw refuse('it is not UTF-8 text', error);
  }
}

function parse(bytes: Uint8Array, refuse: Refuse): JsonNode {
  try {
    return parseGoJson(bytes);
  } catch (error) {
    if (error instanceof GoJsonError) throw refuse(error.message, error);
    throw error;
  }
}

type ObjectNode = Extract<JsonNode, { kind: 'object' }>;

/** JSON.parse keeps the last of two equal fields without a word. */
function repeated({ fields }: ObjectNode, key: (name: string) => string): string | undefined {
  const seen = new Set<string>();
  for (const [name] of fields) {
    if (seen.has(key(name))) return name;
    seen.add(key(name));
  }
  return undefined;
}

/** Without recursion, since text may be nested deeper than calls. */
function repeatedBelow(root: ObjectNode): string | undefined {
  const left: JsonNode[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === 'array') left.push(...node.items);
    if (node.kind !== 'object') continue;
    const twice = repeated(node, (name) => name);
    if (twice !== undefined) return twice;
    left.push(...node.fields.map(([, value]) => value));
  }
  return undefined;
}
