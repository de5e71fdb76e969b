/** JSON text as Go's encoding/json sees it before it knows a type: every field, also repeated ones. */

/** Text or content that Go refuses, with the reason. */
export class GoJsonError extends Error {}

/** One value. Fields in their order, with the same name as often as it is written. */
export type JsonNode =
  | { readonly kind: 'object'; readonly fields: [name: string, value: JsonNode][] }
  | { readonly kind: 'array'; readonly items: JsonNode[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' };

/** Go gives up at more. */
const maxDepth = 10_000;
const tokens = /"((?:[^"\\]|\\.)*)"|[{}[\]:,]|[^\s{}[\]:,"]+/gs;

/**
 * Parses bytes as Go does: a byte order mark is an error, bytes that are no UTF-8 become U+FFFD inside
 * of strings, and nothing may be nested deeper than 10 000 levels. Throws {@link GoJsonError}.
 */
export function parseGoJson(bytes: Uint8Array): JsonNode {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.startsWith('\ufeff')) throw new GoJsonError('it begins with a byte order mark');
  try {
    JSON.parse(text); // Go and ECMAScript have the same grammar, and this one knows it
  } catch (cause) {
    throw new GoJsonError('it is not JSON', { cause });
  }
  return new TreeBuilder().build(text);
}

/** Without recursion: ten thousand levels are more than a call stack holds. */
class TreeBuilder {
  readonly #open: Extract<JsonNode, { kind: 'object' | 'array' }>[] = [];
  #name: string | undefined;
  #root: JsonNode = { kind: 'null' };

  build(text: string): JsonNode {
    for (const [token, quoted] of text.matchAll(tokens)) {
      if (token === '{') this.#enter({ kind: 'object', fields: [] });
      else if (token === '[') this.#enter({ kind: 'array', items: [] });
      else if (token === '}' || token === ']') this.#open.pop();
      else if (token !== ':' && token !== ',') this.#add(token, quoted);
    }
    return this.#root;
  }

  #enter(node: Extract<JsonNode, { kind: 'object' | 'array' }>): void {
    this.#put(node);
    if (this.#open.push(node) > maxDepth) throw new GoJsonError('it is nested too deeply');
  }

  #add(token: string, quoted: string | undefined): void {
    const within = this.#open.at(-1);
    if (quoted !== undefined && within?.kind === 'object' && this.#name === undefined) {
      this.#name = unquote(token);
    } else
      this.#put(quoted === undefined ? literal(token) : { kind: 'string', text: unquote(token) });
  }

  #put(node: JsonNode): void {
    const within = this.#open.at(-1);
    if (within === undefined) this.#root = node;
    else if (within.kind === 'array') within.items.push(node);
    else within.fields.push([this.#name ?? '', node]);
    this.#name = undefined;
  }
}

/** Go has no lone surrogates. */
function unquote(token: string): string {
  return String(JSON.parse(token)).toWellFormed();
}

function literal(token: string): JsonNode {
  if (token === 'null') return { kind: 'null' };
  if (token === 'true' || token === 'false') return { kind: 'boolean', value: token === 'true' };
  return { kind: 'number', text: token };
}
