import { isMap, isScalar, isSeq, type Node, type ParsedNode } from 'yaml';
import type { Path, Position } from './problem.ts';

/** A node of a parsed YAML document; null where a key or a list item has none. */
export type YamlNode = ParsedNode | Node | null;

/** A document as plain values, with the places of its parts. */
export interface Tree extends Places {
  readonly value: unknown;
  readonly file: string;
}

/** Where the parts of a document are. A path that leads nowhere gives its nearest ancestor. */
export interface Places {
  /** The start of the value at `path`. */
  positionOf(path: Path): Position;
  /** The start of the key at the end of `path`; for list items and the root, of the value. */
  keyPositionOf(path: Path): Position;
  /** How the scalar at `path` is written, such as `1.30` for the number 1.3. */
  sourceOf(path: Path): string | undefined;
}

interface Found {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

/** The places of the parsed document `root`; `aliases` says what each alias node stands for. */
export function placesIn(
  root: YamlNode,
  aliases: ReadonlyMap<YamlNode, YamlNode>,
  place: (offset: number) => Position,
): Places {
  const find = (path: Path) => findNode(root, path, aliases);
  return {
    positionOf: (path) => {
      const { key, value } = find(path);
      return place(startOf(value) ?? startOf(key) ?? 0);
    },
    keyPositionOf: (path) => {
      const { key, value } = find(path);
      return place(startOf(key) ?? startOf(value) ?? 0);
    },
    sourceOf: (path) => {
      const { value } = find(path);
      return isScalar(value) ? value.source : undefined;
    },
  };
}

function findNode(root: YamlNode, path: Path, aliases: ReadonlyMap<YamlNode, YamlNode>): Found {
  let found: Found = { key: null, value: root };
  for (const part of path) {
    const next = childOf(aliases.get(found.value) ?? found.value, part);
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

function childOf(node: YamlNode, part: string | number): Found | undefined {
  if (isSeq(node) && typeof part === 'number' && part < node.items.length) {
    // Items of a parsed list are nodes.
    return { key: null, value: node.items[part] as YamlNode };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isScalar(item.key) && item.key.value === part);
  // Keys and values of a parsed mapping are nodes or null.
  return pair && { key: pair.key as YamlNode, value: pair.value as YamlNode };
}

function startOf(node: YamlNode): number | undefined {
  return node?.range?.[0];
}
