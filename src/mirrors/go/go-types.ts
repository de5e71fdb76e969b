/** Decoding a TOML table into the types that a Go program gives its keys. */

import { z } from 'zod';
import { isTomlTable, type TomlTable, type TomlValue } from '../../documents/toml.ts';
import { parseGoDuration } from './go-duration.ts';
import { PathFault } from './path-fault.ts';

const scalars = ['string', 'int', 'int64', 'float64', 'bool', 'duration', 'table', 'any'] as const;
type Scalar = (typeof scalars)[number];

/**
 * A type as the data files write it: `string`, `[string]` for a list, `{ "*": int }` for a table of
 * any keys, `{ address: string }` for one of known keys; what is not known there is ignored.
 */
export type GoType = Scalar | readonly [GoType] | { readonly [key: string]: GoType };

/** The schema of {@link GoType}. */
export const GoType: z.ZodType<GoType> = z.lazy(() =>
  z.union([z.enum(scalars), z.tuple([GoType]), z.record(z.string(), GoType)]),
);

/** A value that is not of its type; `path` leads to it. */
export class GoTypeFault extends PathFault {}

/** Which library decodes: 2.x takes keys in any letter case, 1.x in lower or upper case only. */
export interface GoDecoding {
  readonly isStrict: boolean;
}

/**
 * The table with its known keys in their own spelling, the unknown ones left out:
 * `{ OOM_score: 1 }` as `{ oom_score: int }` → `{ oom_score: 1 }`. Throws {@link GoTypeFault} at the
 * first value of a wrong type, `oom_score is text, not a whole number`.
 */
export function decodeTable(
  value: TomlValue,
  type: GoType,
  decoding: GoDecoding,
  path: readonly string[] = [],
): TomlTable {
  const decoded = decode(value, type, decoding, path);
  if (isTomlTable(decoded)) return decoded;
  throw wrong(value, 'a table', path);
}

/**
 * Whether a program with this type has a place for the value at a path of names, `[]` aside:
 * `{ address: string }` for `['address']` but not for `['port']`.
 */
export function hasPlaceFor(type: GoType, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined || typeof type === 'string') return true;
  if (isList(type)) return hasPlaceFor(type[0], path);
  const inner = type['*'] ?? type[nameOf(name, type)];
  return inner !== undefined && hasPlaceFor(inner, rest);
}

function decode(
  value: TomlValue,
  type: GoType,
  decoding: GoDecoding,
  path: readonly string[],
): TomlValue {
  if (typeof type === 'string') return decodeScalar(value, type, decoding, path);
  if (isList(type)) {
    if (!Array.isArray(value)) throw wrong(value, 'a list', path);
    return value.map((item: TomlValue, index) =>
      decode(item, type[0], decoding, [...path, String(index)]),
    );
  }
  if (!isTomlTable(value)) throw wrong(value, 'a table', path);
  const any = type['*'];
  const entries = any === undefined ? knownKeys(value, type, decoding) : Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const written = [...path, key];
      return [nameOf(key, type), decode(item, any ?? typeOf(key, type), decoding, written)];
    }),
  );
}

type KeyTypes = { readonly [key: string]: GoType };

function isList(type: Exclude<GoType, Scalar>): type is readonly [GoType] {
  return Array.isArray(type);
}

/** Keys that the type knows; an exact spelling beats another one. */
function knownKeys(value: TomlTable, type: KeyTypes, { isStrict }: GoDecoding) {
  return Object.entries(value).filter(([key]) => {
    const name = nameOf(key, type);
    if (!Object.hasOwn(type, name)) return false;
    if (key === name) return true;
    return !Object.hasOwn(value, name) && (isStrict || key === name.toUpperCase());
  });
}

function nameOf(key: string, type: KeyTypes): string {
  if (Object.hasOwn(type, key) || Object.hasOwn(type, '*')) return key;
  return Object.keys(type).find((name) => name.toLowerCase() === key.toLowerCase()) ?? key;
}

function typeOf(key: string, type: KeyTypes): GoType {
  return type[nameOf(key, type)] ?? 'any';
}

const wanted: Readonly<Record<Exclude<Scalar, 'any'>, string>> = {
  string: 'text',
  int: 'a whole number',
  int64: 'a whole number',
  float64: 'a number',
  bool: 'true or false',
  duration: 'a duration such as "3s"',
  table: 'a table',
};

function decodeScalar(
  value: TomlValue,
  type: Scalar,
  decoding: GoDecoding,
  path: readonly string[],
): TomlValue {
  if (type === 'any') return value;
  if (fits(value, type, decoding)) return isWhole(value) ? Number(value) : value;
  throw wrong(value, wanted[type], path);
}

function fits(value: TomlValue, type: Exclude<Scalar, 'any'>, { isStrict }: GoDecoding): boolean {
  if (type === 'string') return typeof value === 'string';
  if (type === 'bool') return typeof value === 'boolean';
  if (type === 'table') return isTomlTable(value);
  if (type === 'duration') return typeof value === 'string' && parseGoDuration(value) !== undefined;
  if (type === 'float64') return typeof value === 'number' || (isStrict && isWhole(value));
  return isWhole(value);
}

/** {@link decodeGoToml} gives whole numbers as bigint, so that `3.0` is not taken for `3`. */
function isWhole(value: TomlValue): value is bigint {
  return typeof value === 'bigint';
}

function wrong(value: TomlValue, type: string, path: readonly string[]): GoTypeFault {
  return new GoTypeFault(`${path.join('.')} is ${describe(value)}, not ${type}`, path);
}

function describe(value: TomlValue): string {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'number' || typeof value === 'bigint') return 'a number';
  if (value instanceof Date) return 'a date';
  return Array.isArray(value) ? 'a list' : 'a table';
}
