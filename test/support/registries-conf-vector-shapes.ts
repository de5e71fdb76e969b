/** The shapes of the mirror vectors of registries.conf; a key that is not here fails the vector. */

import { z } from 'zod';

/** Files, a name, and where it is pulled from. */
export const Executed = z.strictObject({
  given: z.strictObject({
    registries_conf: z.string(),
    registries_conf_d: z.record(z.string(), z.string()).optional(),
    ref: z.string(),
  }),
  expect: z.strictObject({
    matched_prefix: z.string().nullable().optional(),
    sources_in_order: z
      .array(z.strictObject({ ref: z.string(), insecure: z.boolean() }))
      .optional(),
    primary_blocked: z.boolean().optional(),
    short_name_candidates: z.array(z.string()).optional(),
    error: z.string().optional(),
  }),
});

/** How much of a name a prefix stands for. */
export const Matched = z.strictObject({
  given: z.strictObject({ ref: z.string(), prefix: z.string() }),
  expect: z.strictObject({ match_length: z.int() }),
});

/** A name with another location in place of its prefix. */
export const RewriteCase = z.strictObject({
  given: z.strictObject({ ref: z.string(), prefix: z.string(), location: z.string() }),
  expect: z.strictObject({
    rewritten: z.string().optional(),
    error: z.literal(true).optional(),
  }),
});

/** Mirrors that are only described. */
export const Sources = z.strictObject({
  given: z.strictObject({
    prefix: z.string(),
    location: z.string(),
    restriction: z.string(),
    ref: z.string(),
  }),
  expect: z.strictObject({ sources_in_order: z.array(z.string()) }),
});

/** A configuration, or the description of one, that is refused. */
export const Invalid = z.strictObject({
  given: z.union([
    z.strictObject({ registries_conf: z.string() }),
    z.strictObject({ case: z.string() }),
  ]),
  expect: z.strictObject({ error_contains: z.string() }),
});
