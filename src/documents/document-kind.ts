import type { z } from 'zod';
import type { Path, Position, Problem } from './problem.ts';

/** The version of all documents that this Slipway reads and writes. */
export const API_VERSION = 'slipway.dev/v1alpha1';

/**
 * A kind of document: `{ kind: 'Release', schema: Release, summary: 'What is installed.' }`.
 * `check` finds what a schema cannot say, once the schema has passed. `maxBytes` (default 10 MiB) is
 * for kinds that programs write.
 */
export interface DocumentKind<Name extends string = string, Value = unknown> {
  readonly kind: Name;
  readonly schema: z.ZodType<Value>;
  /** One sentence for the JSON Schema and the reference. */
  readonly summary: string;
  readonly maxBytes?: number;
  // A method, so that a list of different kinds has a common type.
  check?(document: TypedDocument<Name, Value>): readonly Problem[];
}

/** A document that passed its schema and checks, with the places of its parts. */
export interface TypedDocument<Name extends string = string, Value = unknown> {
  readonly kind: Name;
  readonly value: Value;
  readonly file: string;
  /** Where the value at a path starts: `positionOf(['spec', 'kubernetes'])` → line 6, column 15. */
  positionOf(path: Path): Position;
  /** A problem at the value at `path`; `{ at: 'key' }` points to its key instead. */
  problemAt(path: Path, problem: ProblemText): Problem;
}

/** A problem without its place. */
export interface ProblemText {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly at?: 'key';
}

/** The documents that a list of kinds can give: a union that `kind` tells apart. */
export type DocumentOf<Kind> =
  Kind extends DocumentKind<infer Name, infer Value> ? TypedDocument<Name, Value> : never;
