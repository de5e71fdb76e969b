/** The places of a TOML text as a tree of tables: which header or key stands for which path. */

import { MAX_DEPTH, tooDeep } from './toml-cursor.ts';
import type { TomlHeader, TomlKey, TomlStep } from './toml-scan.ts';

/** One table, key or item of a list, with all headers and keys that name it. */
export class TomlNode {
  /** Its keys and items in file order. */
  readonly children = new Map<TomlStep, TomlNode>();
  readonly headers: TomlHeader[] = [];
  readonly keys: TomlKey[] = [];
  /** The names on the way to it, without the numbers of items. */
  readonly path: readonly string[];
  readonly steps: readonly TomlStep[];
  /** How many `[[...]]` headers have named it. */
  #items = 0;

  constructor(path: readonly string[] = [], steps: readonly TomlStep[] = path) {
    this.path = path;
    this.steps = steps;
  }

  /** The child of that name, made if there is none; `at` is the offset for a complaint about depth. */
  child(step: TomlStep, at: number): TomlNode {
    const found = this.children.get(step);
    if (found !== undefined) return found;
    if (this.steps.length === MAX_DEPTH) throw tooDeep(at);
    const path = typeof step === 'string' ? [...this.path, step] : this.path;
    const made = new TomlNode(path, [...this.steps, step]);
    this.children.set(step, made);
    return made;
  }

  /** The table, key or item at exactly these steps below it. */
  at(steps: readonly TomlStep[]): TomlNode | undefined {
    return steps.reduce<TomlNode | undefined>((node, step) => node?.children.get(step), this);
  }

  /** The item that the last `[[...]]` header opened; the node itself where there is none. */
  lastItem(): TomlNode {
    return (this.#items === 0 ? undefined : this.children.get(this.#items - 1)) ?? this;
  }

  nextItem(at: number): TomlNode {
    this.#items += 1;
    return this.child(this.#items - 1, at);
  }

  /** What names it, or the first place that names something inside it. */
  firstPlace(): TomlKey | TomlHeader | undefined {
    const own = this.keys[0] ?? this.headers[0];
    if (own !== undefined) return own;
    for (const child of this.children.values()) {
      const place = child.firstPlace();
      if (place !== undefined) return place;
    }
    return undefined;
  }
}
