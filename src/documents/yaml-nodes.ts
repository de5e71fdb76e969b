import { isAlias, isMap, isSeq, type Scalar, type YAMLMap } from 'yaml';
import { parseBounded } from './parse-bounded.ts';
import type { YamlNode } from './tree.ts';

/** Where something stands in a YAML text: offsets in UTF-16 units, line and column counted from 1. */
export interface YamlPlace {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
}

/** A node as it is written: no scalar has a type yet, and an alias is not followed. */
export type RawYaml = { readonly at: YamlPlace; readonly tag: string } & (
  | { readonly kind: 'scalar'; readonly text: string; readonly isPlain: boolean }
  | { readonly kind: 'mapping'; readonly pairs: readonly RawPair[] }
  | { readonly kind: 'sequence'; readonly items: readonly RawYaml[] }
  | { readonly kind: 'alias'; readonly name: string; readonly target: RawYaml }
);

/** One entry of a mapping. */
export interface RawPair {
  readonly key: RawYaml;
  readonly value: RawYaml;
}

/** What keeps a text from being read: a code of the `yaml` package, `too-large` or `unknown-anchor`. */
export interface YamlFault {
  readonly code: string;
  readonly message: string;
  readonly at: YamlPlace;
}

/** The first document of a stream; `root` is absent when there is none or it is empty. */
export type RawDocument =
  | { readonly ok: true; readonly root: RawYaml | undefined }
  | { readonly ok: false; readonly fault: YamlFault };

/**
 * The first document of a YAML text with nothing decided yet, for readers that have rules of their own about
 * types, duplicate keys and merges: `a: yes` → a mapping of the plain scalars `a` and `yes`.
 * Bounded as `parseBounded` is. Never throws.
 */
export function readRawYaml(text: string): RawDocument {
  const parsed = parseBounded(text);
  if ('excess' in parsed) {
    const { line, column, kind } = parsed.excess;
    const at = { start: 0, end: 0, line, column };
    return { ok: false, fault: { code: 'too-large', message: `the text is ${kind}`, at } };
  }
  const placeOf = (range: readonly number[] | null | undefined): YamlPlace => {
    const [start = 0, end = start] = range ?? [];
    return { start, end, ...parsed.place(start) };
  };
  const [document] = parsed.documents;
  const [fault] = [...(document?.errors ?? []), ...(document?.warnings ?? [])]
    // Tags and versions are for the reader to judge.
    .filter(({ code }) => code !== 'TAG_RESOLVE_FAILED' && code !== 'BAD_DIRECTIVE')
    .sort((a, b) => a.pos[0] - b.pos[0]);
  if (fault !== undefined) {
    const { code, message, pos } = fault;
    return { ok: false, fault: { code, message, at: placeOf(pos) } };
  }
  const contents = document?.contents ?? null;
  if (contents === null) return { ok: true, root: undefined };
  try {
    return { ok: true, root: new RawReader(placeOf).read(contents) };
  } catch (error) {
    if (!(error instanceof UnknownAnchor)) throw error;
    const { message, at } = error;
    return { ok: false, fault: { code: 'unknown-anchor', message, at } };
  }
}

/** Thrown and caught in this file only. */
class UnknownAnchor extends Error {
  readonly at: YamlPlace;

  constructor(name: string, at: YamlPlace) {
    super(`unknown anchor '${name}' referenced`);
    this.at = at;
  }
}

/** Reads nodes in the order of the text, so that each alias finds the last anchor before it. */
class RawReader {
  readonly #placeOf: (range: readonly number[] | null | undefined) => YamlPlace;
  readonly #anchors = new Map<string, RawYaml>();

  constructor(placeOf: (range: readonly number[] | null | undefined) => YamlPlace) {
    this.#placeOf = placeOf;
  }

  read(node: YamlNode, after?: RawYaml): RawYaml {
    if (node === null) {
      const at = after === undefined ? this.#placeOf(undefined) : after.at;
      return { kind: 'scalar', text: '', isPlain: true, tag: '', at };
    }
    const at = this.#placeOf(node.range);
    const common = { at, tag: node.tag ?? '' };
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (target === undefined) throw new UnknownAnchor(node.source, at);
      return { kind: 'alias', name: node.source, target, ...common };
    }
    if (isMap(node)) return this.#readMap(node, common);
    if (isSeq(node)) {
      const items: RawYaml[] = [];
      const read = this.#named(node, { kind: 'sequence', items, ...common });
      // Items of a parsed list are nodes; the type of YAMLSeq allows raw values for built ones.
      for (const item of node.items) items.push(this.read(item as YamlNode));
      return read;
    }
    const { source = '', type } = node as Scalar; // nothing else is left
    return this.#named(node, {
      kind: 'scalar',
      text: source,
      isPlain: type === 'PLAIN',
      ...common,
    });
  }

  #readMap(node: YAMLMap, common: Pick<RawYaml, 'at' | 'tag'>): RawYaml {
    const pairs: RawPair[] = [];
    const read = this.#named(node, { kind: 'mapping', pairs, ...common });
    for (const pair of node.items) {
      // Keys and values of a parsed mapping are nodes or null.
      const key = this.read(pair.key as YamlNode);
      pairs.push({ key, value: this.read(pair.value as YamlNode, key) });
    }
    return read;
  }

  /** Before its content is read: a node may refer to itself. */
  #named({ anchor }: { readonly anchor?: string }, read: RawYaml): RawYaml {
    if (anchor !== undefined) this.#anchors.set(anchor, read);
    return read;
  }
}
