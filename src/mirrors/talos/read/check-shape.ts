/** Compares a value with what a Go program decodes it into: which keys are known, which kinds fit. */

import type { Path } from '../../../documents/problem.ts';
import { suggest } from '../../../documents/suggest.ts';
import { decodeGoBase64 } from '../../go/go-base64.ts';

/** A single value. `text` also takes numbers, as Go's YAML readers do. */
type Scalar = 'text' | 'flag' | 'base64';

/** What a value may be; null fits everywhere. */
export type Shape =
  | Scalar
  | { readonly list: Shape }
  | { readonly keys: Readonly<Record<string, Shape>> }
  /** A mapping with free keys; a null in it is refused. */
  | { readonly each: Shape };

/** One thing that does not fit. */
export type ShapeFault =
  | { readonly kind: 'unknown'; readonly path: Path; readonly key: string; readonly near?: string }
  | { readonly kind: 'wrong'; readonly path: Path; readonly wanted: string }
  | { readonly kind: 'null'; readonly path: Path };

/** All faults of a value, in the order in which they stand; `[]` if it fits. */
export function shapeFaults(value: unknown, shape: Shape, path: Path = []): readonly ShapeFault[] {
  if (value === null || value === undefined) return [];
  if (typeof shape === 'string') return scalarFaults(value, shape, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) return [wrong(path, 'a list')];
    return value.flatMap((item, index) => shapeFaults(item, shape.list, [...path, index]));
  }
  if (!isMapping(value)) return [wrong(path, 'a mapping')];
  return Object.entries(value).flatMap(([key, item]) => entryFaults(key, item, shape, path));
}

const names: Readonly<Record<Scalar, string>> = {
  text: 'text',
  flag: 'true or false',
  base64: 'base64',
};

function scalarFaults(value: unknown, shape: Scalar, path: Path): readonly ShapeFault[] {
  const isRight =
    shape === 'flag'
      ? readFlag(value) !== undefined
      : isScalar(value) && (shape === 'text' || decodeGoBase64(String(value)).ok);
  return isRight ? [] : [wrong(path, names[shape])];
}

function entryFaults(
  key: string,
  item: unknown,
  shape: Exclude<Shape, string | { list: Shape }>,
  path: Path,
): readonly ShapeFault[] {
  const at = [...path, key];
  if ('each' in shape) {
    return item === null ? [{ kind: 'null', path: at }] : shapeFaults(item, shape.each, at);
  }
  const inner = shape.keys[key];
  if (inner !== undefined) return shapeFaults(item, inner, at);
  const near = suggest(key, Object.keys(shape.keys));
  return [{ kind: 'unknown', path: at, key, ...(near !== undefined && { near }) }];
}

function wrong(path: Path, wanted: string): ShapeFault {
  return { kind: 'wrong', path, wanted };
}

/** Any YAML mapping as the parser gives it. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** yaml.v3 takes the words of YAML 1.1 where true or false is wanted. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (/^(?:y|yes|on)$/i.test(value)) return true;
  return /^(?:n|no|off)$/i.test(value) ? false : undefined;
}
