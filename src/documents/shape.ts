import { z } from 'zod';
import type { Path } from './problem.ts';

/** What a schema accepts, as JSON Schema: the base of "did you mean" and "must be a list". */
export type Shape = z.core.JSONSchema.BaseSchema;

/** The shape of what a schema reads (not of what it makes of it). */
export function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
}

/** The shape of the part at `path`, or undefined where the schema knows no such part. */
export function shapeAt(shape: Shape, path: Path): Shape | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return shape;
  for (const option of optionsOf(shape)) {
    const child = childOf(option, part);
    const found = child && shapeAt(child, rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The fields that a mapping of this shape may have, by name; of all alternatives together. */
export function fieldsOf(shape: Shape | undefined): ReadonlyMap<string, Shape> {
  if (shape === undefined) return new Map();
  const fields = optionsOf(shape).flatMap((option) => Object.entries(option.properties ?? {}));
  return new Map(
    fields.flatMap(([name, field]) => (isShape(field) ? [[name, field] as const] : [])),
  );
}

/** `{ type: 'array' }` → `a list`; alternatives are joined by "or"; undefined if anything fits. */
export function describeShape(shape: Shape | undefined): string | undefined {
  if (shape === undefined) return undefined;
  const words = optionsOf(shape).map(describeOne);
  const known = [...new Set(words.filter((word) => word !== undefined))];
  return known.length === 0 ? undefined : known.join(' or ');
}

function describeOne(shape: Shape): string | undefined {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((item) => JSON.stringify(item)).join(' or ');
  if (Array.isArray(shape.type) || shape.type === undefined) return undefined;
  return words[shape.type];
}

const words: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a mapping',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'empty',
};

function optionsOf(shape: Shape): readonly Shape[] {
  const options = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])];
  return options.length === 0 ? [shape] : options.filter(isShape).flatMap(optionsOf);
}

function childOf(shape: Shape, part: string | number): Shape | undefined {
  if (typeof part === 'number') return isShape(shape.items) ? shape.items : undefined;
  const child = shape.properties?.[part] ?? shape.additionalProperties;
  return isShape(child) ? child : undefined;
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
