/** Decodes a YAML text into Go's types as gopkg.in/yaml.v2 v2.4.0 does it without "strict" (decode.go). */

import type { RawYaml, YamlPlace } from '../../../documents/yaml-nodes.ts';
import { decodeGoBase64 } from '../go-base64.ts';
import { type GoScalar, GoYamlFault, resolveScalar, shortTag } from './scalar.ts';

/** A text with its place. */
export interface Placed<T> {
  readonly value: T;
  readonly at: YamlPlace;
}

/** Something that the reader passes over without a word, for those who want to know. */
export type Unsaid =
  | {
      readonly kind: 'unknown-key';
      readonly key: string;
      readonly type: string;
      readonly at: YamlPlace;
      /** All keys beside it. */
      readonly siblings: readonly string[];
    }
  | { readonly kind: 'duplicate-key'; readonly key: string; readonly at: YamlPlace };

/** How often aliases may be followed; Go counts its steps, and stops at many more. */
const MOST_ALIASES = 1000;

/** What to do with the value of each key that a struct knows. */
export type Fields = Readonly<Record<string, (value: RawYaml, key: RawYaml) => void>>;

/** One document being decoded; errors of types are collected, as Go does it. */
export class GoDecoder {
  readonly errors: Array<Placed<string>> = [];
  readonly unsaid: Unsaid[] = [];
  readonly #open = new Set<RawYaml>();
  #aliases = 0;

  /** The text of a scalar, of whatever type; `undefined` with an error for others. */
  text(node: RawYaml): string | undefined {
    return this.#follow(node, (found) => {
      if (found.kind !== 'scalar') return this.#refuse(found, 'string');
      const scalar = scalarOf(found);
      if (scalar.type === 'null') return '';
      if (shortTag(found.tag) !== '!!binary') return found.text;
      const decoded = decodeGoBase64(found.text);
      if (!decoded.ok) throw new GoYamlFault('!!binary value contains invalid base64 data');
      return decoded.bytes.toString('utf8');
    });
  }

  flag(node: RawYaml): boolean | undefined {
    return this.#follow(node, (found) => {
      if (found.kind !== 'scalar') return this.#refuse(found, 'bool');
      const scalar = scalarOf(found);
      if (scalar.type === 'null') return false;
      return scalar.type === 'bool' ? scalar.value : this.#refuse(found, 'bool');
    });
  }

  /** The items that decode; those that do not are left out, with an error each. */
  list<T>(node: RawYaml, type: string, item: (node: RawYaml) => T | undefined): T[] | undefined {
    return this.#follow(node, (found) => {
      if (isNull(found)) return [];
      if (found.kind !== 'sequence') return this.#refuse(found, type);
      return found.items.flatMap((one) => item(one) ?? []);
    });
  }

  /** Calls `entry` for each key in order, so that the last one of a name wins. */
  map(
    node: RawYaml,
    type: string,
    entry: (key: Placed<string>, value: RawYaml, keyNode: RawYaml) => void,
  ): 'null' | 'read' | undefined {
    return this.#follow(node, (found) => {
      if (isNull(found)) return 'null';
      if (found.kind !== 'mapping') return this.#refuse(found, type);
      const seen = new Set<string>();
      for (const { key, value } of found.pairs) {
        if (isMerge(key)) this.#merge(value, (merged) => this.map(merged, type, entry));
        else this.#entry(key, seen, (placed) => entry(placed, value, key));
      }
      return 'read';
    });
  }

  /** Calls the fields that are there; unknown keys are passed over. */
  struct(node: RawYaml, type: string, fields: Fields): 'null' | 'read' | undefined {
    return this.map(node, type, ({ value: key, at }, value, keyNode) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      const siblings = namesIn(node);
      if (field === undefined) this.unsaid.push({ kind: 'unknown-key', key, type, at, siblings });
      else field(value, keyNode);
    });
  }

  #entry(node: RawYaml, seen: Set<string>, take: (key: Placed<string>) => void): void {
    const value = this.text(node);
    if (value === undefined) return;
    this.#noteDuplicate(seen, value, node);
    take({ value, at: node.at });
  }

  #noteDuplicate(seen: Set<string>, key: string, { at }: RawYaml): void {
    if (seen.has(key)) this.unsaid.push({ kind: 'duplicate-key', key, at });
    seen.add(key);
  }

  #merge(node: RawYaml, take: (node: RawYaml) => void): void {
    const parts = node.kind === 'sequence' ? node.items.toReversed() : [node];
    for (const part of parts) {
      const target = part.kind === 'alias' ? part.target : part;
      if (target.kind !== 'mapping') {
        throw new GoYamlFault('map merge requires map or sequence of maps as the value');
      }
      take(part);
    }
  }

  #follow<T>(node: RawYaml, read: (node: RawYaml) => T): T {
    if (node.kind !== 'alias') return read(node);
    const { target, name } = node;
    if (this.#open.has(node)) throw new GoYamlFault(`anchor '${name}' value contains itself`);
    this.#aliases += 1;
    if (this.#aliases > MOST_ALIASES) throw new GoYamlFault('document contains excessive aliasing');
    this.#open.add(node);
    const result = this.#follow(target, read);
    this.#open.delete(node);
    return result;
  }

  #refuse(node: RawYaml, type: string): undefined {
    const { at } = node;
    const value = `line ${at.line}: cannot unmarshal ${shownTag(node)}${shownValue(node)} into ${type}`;
    this.errors.push({ value, at });
    return undefined;
  }
}

/** True where Go leaves a pointer alone: null as it is usually written. */
export function isUnset(node: RawYaml): boolean {
  const found = node.kind === 'alias' ? node.target : node;
  if (found.kind !== 'scalar') return false;
  if (shortTag(found.tag) === '!!null') return true;
  return found.tag === '' && found.isPlain && /^(?:null|~|)$/.test(found.text);
}

function isNull(node: RawYaml): boolean {
  return node.kind === 'scalar' && scalarOf(node).type === 'null';
}

function namesIn(node: RawYaml): readonly string[] {
  const found = node.kind === 'alias' ? node.target : node;
  if (found.kind !== 'mapping') return [];
  return found.pairs.flatMap(({ key }) => (key.kind === 'scalar' ? [key.text] : []));
}

type RawScalar = Extract<RawYaml, { kind: 'scalar' }>;

function scalarOf({ tag, text, isPlain }: RawScalar): GoScalar {
  // A lone `!` makes a quoted scalar count as plain, and has no other meaning.
  if (tag === '!') return resolveScalar('', text);
  if (tag === '' && !isPlain) return { type: 'str', text };
  return resolveScalar(tag, text);
}

function isMerge(node: RawYaml): boolean {
  if (node.kind !== 'scalar' || node.text !== '<<') return false;
  return (node.tag === '' && node.isPlain) || node.tag === '!' || shortTag(node.tag) === '!!merge';
}

function shownTag(node: RawYaml): string {
  if (node.tag !== '' && node.tag !== '!') return shortTag(node.tag);
  if (node.kind === 'mapping') return '!!map';
  if (node.kind === 'sequence') return '!!seq';
  return node.kind === 'scalar' ? `!!${scalarOf(node).type}` : '';
}

function shownValue(node: RawYaml): string {
  if (node.kind !== 'scalar') return '';
  const bytes = Buffer.from(node.text);
  return bytes.length > 10
    ? ` \`${bytes.subarray(0, 7).toString('utf8')}...\``
    : ` \`${node.text}\``;
}
