/** A TOML text in the types of a Go struct, as BurntSushi/toml decodes it: keys in any letter case, unknown ones ignored. */

import { isTomlTable, type TomlTable, type TomlValue } from '../../../documents/toml.ts';
import { tomlPlace } from '../../../documents/toml-places.ts';
import type { TomlScan, TomlStep } from '../../../documents/toml-scan.ts';
import { quoteGo } from '../../../oci/dialects/go-quote.ts';
import { type BurntSushiToml, readBurntSushi } from '../../go/toml/burnt-sushi.ts';
import type { TomlVersion } from '../../go/toml/burnt-sushi-tables.ts';

/** The type of a value in Go: text, yes or no, a list, a map of texts, or a struct with its name there. */
export type GoShape =
  | 'string'
  | 'bool'
  | 'map of strings'
  | { readonly list: GoShape }
  | { readonly struct: string; readonly fields: Readonly<Record<string, GoShape>> };

/** A text that is no TOML, or has a value of a wrong type; in the library's words. */
export class DecodeFault extends Error {
  readonly line: number;
  readonly column: number;
  /** For no TOML at all the words behind the line are ours. */
  readonly kind: 'no-toml' | 'wrong-type';
  /** The way to the value of a wrong type. */
  readonly steps: readonly TomlStep[];

  constructor(message: string, at: { line: number; column: number; steps?: readonly TomlStep[] }) {
    super(message);
    this.kind = at.steps === undefined ? 'no-toml' : 'wrong-type';
    this.steps = at.steps ?? [];
    this.line = at.line;
    this.column = at.column;
  }
}

/** A struct: its values under the names of the shape, and the way to it in the text. */
export interface DecodedTable {
  readonly steps: readonly TomlStep[];
  readonly values: ReadonlyMap<string, DecodedValue>;
  /** How the keys are spelled in the text: `location` → `Location`. */
  readonly spelled: ReadonlyMap<string, string>;
}

/** What a {@link GoShape} becomes. */
export type DecodedValue =
  | string
  | boolean
  | readonly DecodedValue[]
  | ReadonlyMap<string, string>
  | DecodedTable;

/** The decoded text, with the places of everything in it. */
export interface Decoded {
  readonly table: DecodedTable;
  readonly scan: TomlScan;
}

/** What to do about a value of a wrong type: throw it, or note it and go on without the value. */
export type OnFault = (fault: DecodeFault) => void;

function throwIt(fault: DecodeFault): never {
  throw fault;
}

/** Decodes a file. Throws {@link DecodeFault}; `registry = "x"` → `toml: line 1 (last key "registry"): incompatible types: …`. */
export function decodeGoStruct(
  bytes: Uint8Array,
  shape: GoShape,
  { toml, onFault = throwIt }: { readonly toml: TomlVersion; readonly onFault?: OnFault },
): Decoded {
  const read = readBurntSushi(bytes, toml);
  if (!read.ok) {
    const { reason, line, column = 1 } = read;
    throw new DecodeFault(`toml: line ${line}: ${reason}`, { line, column });
  }
  const table = new Decoder(read, onFault).decode(read.value, shape, []);
  if (!isDecodedTable(table)) throw new TypeError('the shape of a file is a struct');
  return { table, scan: read.scan };
}

/** Tells a struct from the other values. */
export function isDecodedTable(value: DecodedValue | undefined): value is DecodedTable {
  return typeof value === 'object' && 'steps' in value;
}

type ReadToml = Extract<BurntSushiToml, { ok: true }>;

class Decoder {
  readonly #read: ReadToml;
  readonly #onFault: OnFault;

  constructor(read: ReadToml, onFault: OnFault) {
    this.#read = read;
    this.#onFault = onFault;
  }

  /** Undefined for a value of a wrong type. */
  decode(value: TomlValue, shape: GoShape, steps: readonly TomlStep[]): DecodedValue | undefined {
    if (shape === 'string') {
      return typeof value === 'string' ? value : this.#refuse(value, 'string', steps);
    }
    if (shape === 'bool') {
      return typeof value === 'boolean' ? value : this.#refuse(value, 'boolean', steps);
    }
    if (shape === 'map of strings') return this.#decodeMap(value, steps);
    if ('list' in shape) return this.#decodeList(value, shape.list, steps);
    return this.#decodeStruct(value, shape, steps);
  }

  #decodeList(value: TomlValue, of: GoShape, steps: readonly TomlStep[]): DecodedValue | undefined {
    if (!isList(value)) return this.#refuse(value, 'slice', steps);
    return value.flatMap((item, index) => this.decode(item, of, [...steps, index]) ?? []);
  }

  /** Anything else than a table is taken for an empty one (decode.go, unifyMap). */
  #decodeMap(
    value: TomlValue,
    steps: readonly TomlStep[],
  ): ReadonlyMap<string, string> | undefined {
    if (!isTomlTable(value)) return undefined;
    const map = new Map<string, string>();
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'string') map.set(key, item);
      else this.#refuse(item, 'string', [...steps, key]);
    }
    return map;
  }

  #decodeStruct(
    value: TomlValue,
    { struct, fields }: Extract<GoShape, { struct: string }>,
    steps: readonly TomlStep[],
  ): DecodedTable | undefined {
    if (!isTomlTable(value)) {
      const found = this.#typeOf(value);
      this.#report(`type mismatch for ${struct}: expected table but found ${found}`, steps);
      return undefined;
    }
    const values = new Map<string, DecodedValue>();
    const spelled = new Map<string, string>();
    for (const [name, shape] of Object.entries(fields)) {
      const key = spellingIn(value, name);
      const item = key === undefined ? undefined : value[key];
      if (key === undefined || item === undefined) continue;
      spelled.set(name, key);
      const decoded = this.decode(item, shape, [...steps, key]);
      if (decoded !== undefined) values.set(name, decoded);
    }
    return { steps, values, spelled };
  }

  #refuse(value: TomlValue, wanted: string, steps: readonly TomlStep[]): undefined {
    const found = this.#typeOf(value);
    this.#report(
      `incompatible types: TOML value has type ${found}; destination has type ${wanted}`,
      steps,
    );
    return undefined;
  }

  #typeOf(value: TomlValue): string {
    if (typeof value === 'string') return 'string';
    if (typeof value === 'boolean') return 'bool';
    if (typeof value === 'bigint') return 'int64';
    if (typeof value === 'number') return 'float64';
    if (value instanceof Date) return 'time.Time';
    if (isTomlTable(value)) return 'map[string]any';
    return this.#read.isTableList(value) ? '[]map[string]any' : '[]any';
  }

  /** The library keeps one line for each path of names, so of several tables it names the last one that has the key. */
  #report(message: string, steps: readonly TomlStep[]): void {
    const path = namesOf(steps);
    const known = this.#read.lineOf(path);
    const key = quoteGo(path.map(keyText).join('.'));
    const line = known === undefined ? '' : `line ${known} `;
    const last = path.length === 0 ? '' : `${line}(last key ${key}): `;
    const { line: row, column } = tomlPlace(this.#read.scan, steps) ?? {
      line: known ?? 1,
      column: 1,
    };
    this.#onFault(new DecodeFault(`toml: ${last}${message}`, { line: row, column, steps }));
  }
}

function namesOf(steps: readonly TomlStep[]): readonly string[] {
  return steps.filter((step) => typeof step === 'string');
}

function isList(value: TomlValue): value is readonly TomlValue[] {
  return Array.isArray(value);
}

/** The exact name, else one that differs in letter case only (Go's strings.EqualFold). */
function spellingIn(table: TomlTable, name: string): string | undefined {
  if (Object.hasOwn(table, name)) return name;
  const folded = new RegExp(`^${name}$`, 'iu');
  return Object.keys(table).find((key) => folded.test(key));
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoteGo(key);
}
