/** Finds where a path of a TOML document is written. */

import type { Position } from './problem.ts';
import type { TomlHeader, TomlItem, TomlKey, TomlScan, TomlStep } from './toml-scan.ts';
import type { TomlNode } from './toml-tree.ts';

/** A key with its value, or the header of a table. */
export type TomlPlace = TomlKey | TomlHeader;

/**
 * What writes exactly this path, with line, column and ranges: the key (`place.value` is its value),
 * else the first header. Undefined where nothing does: a table may exist without a header.
 *
 * A step that is a number is an item of a list; without it the first item counts that has the rest:
 * `['registry', 1, 'location']` is in the second `[[registry]]`, `['registry', 'location']` in any.
 */
export function tomlPlace(scan: TomlScan, path: readonly TomlStep[]): TomlPlace | undefined {
  const node = nodeAt(scan.root, path, 0);
  return node?.keys[0] ?? node?.headers[0];
}

/**
 * The place of a path as far as it is written: that of {@link tomlPlace}, else the first place inside
 * it, else the nearest part above that has one. Undefined if there is none.
 */
export function nearestTomlPlace(scan: TomlScan, path: readonly TomlStep[]): TomlPlace | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const place = nodeAt(scan.root, path.slice(0, length), 0)?.firstPlace();
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The line of {@link nearestTomlPlace}. */
export function tomlLine(scan: TomlScan, path: readonly TomlStep[]): number | undefined {
  return nearestTomlPlace(scan, path)?.line;
}

/** Line and column of {@link nearestTomlPlace}, and nothing if there is none: `{ line: 3, column: 5 }`. */
export function tomlPosition(scan: TomlScan, path: readonly TomlStep[]): Partial<Position> {
  const place = nearestTomlPlace(scan, path);
  return place === undefined ? {} : { line: place.line, column: place.column };
}

/** The value as written at exactly these steps; also that of an item in a list: `['a', 1]`. */
export function tomlItem(scan: TomlScan, steps: readonly TomlStep[]): TomlItem | undefined {
  const key = scan.root.at(steps)?.keys[0];
  if (key !== undefined) return key.value;
  const last = steps.at(-1);
  if (typeof last !== 'number') return undefined;
  const list = tomlItem(scan, steps.slice(0, -1));
  return list?.kind === 'array' ? list.items[last] : undefined;
}

/** Every key of the text in file order, those inside inline tables too, each behind its owner. */
export function* allTomlKeys(keys: readonly TomlKey[]): Generator<TomlKey> {
  for (const key of keys) {
    yield key;
    yield* allTomlKeys(keysInside(key.value));
  }
}

function keysInside(item: TomlItem): readonly TomlKey[] {
  if (item.kind === 'inline-table') return item.keys;
  return item.kind === 'array' ? item.items.flatMap(keysInside) : [];
}

function nodeAt(node: TomlNode, path: readonly TomlStep[], at: number): TomlNode | undefined {
  const step = path[at];
  if (step === undefined) return node;
  const child = node.children.get(step);
  const found = child === undefined ? undefined : nodeAt(child, path, at + 1);
  if (found !== undefined || typeof step === 'number') return found;
  for (const [number, item] of node.children) {
    const inItem = typeof number === 'number' ? nodeAt(item, path, at) : undefined;
    if (inItem !== undefined) return inItem;
  }
  return undefined;
}
