/** The shapes of the mirror vectors of k3s and wharfie; a key that is not here fails the vector. */

import { z } from 'zod';

const texts = z.record(z.string(), z.string());

const Settings = {
  auth: z.strictObject({ username: z.string(), password: z.string() }).optional(),
  tls: z
    .strictObject({
      ca: z.string().optional(),
      cert: z.string().optional(),
      key: z.string().optional(),
      insecure_skip_verify: z.boolean().optional(),
    })
    .optional(),
};
const Endpoint = z.strictObject({
  url: z.string().nullable(),
  override_path: z.boolean().optional(),
  rewrite: texts.optional(),
  ...Settings,
});

/** What upstream tests say of the conversion. */
export const HostsDirs = z.strictObject({
  given: z.strictObject({
    registries_yaml: z.string(),
    disable_default_registry_endpoint: z.boolean().optional(),
    embedded_registry: z.string().optional(),
  }),
  expect: z.strictObject({
    hosts_dirs: z.record(
      z.string(),
      z.strictObject({ default: Endpoint.nullable(), endpoints: z.array(Endpoint) }),
    ),
  }),
});

/** The generated files, and what containerd does with them; `note` fields are explanations. */
export const Derived = z.strictObject({
  given: z.strictObject({
    registries_yaml: z.string(),
    disable_default_registry_endpoint: z.boolean().optional(),
  }),
  expect: z.strictObject({
    hosts_toml: texts,
    per_ref: z
      .array(
        z.strictObject({
          ref: z.string(),
          resolve_requests: z.array(z.string()),
          skip_verify_on: z.array(z.string()),
        }),
      )
      .optional(),
    warnings: z.array(z.string()).optional(),
    note: z.string().optional(),
    note_rewrite: z.string().optional(),
  }),
});

/** A file that k3s does not start with. */
export const Refused = z.strictObject({
  given: z.strictObject({ registries_yaml: z.string() }),
  expect: z.strictObject({ error: z.string(), note: z.string().optional() }),
});

/** A file and its values. */
export const Parsed = z.strictObject({
  given: z.strictObject({ registries_yaml: z.string() }),
  expect: z.strictObject({ parsed: z.record(z.string(), z.unknown()) }),
});

/** Patterns and a name. */
export const Rewrite = z.strictObject({
  given: z.strictObject({ rewrite: texts, repository: z.string() }),
  expect: z.strictObject({ repository: z.string(), pattern_error: z.string().optional() }),
});

/** The endpoints of one image for RKE2's own reader. */
export const WharfieEndpoints = z.strictObject({
  given: z.strictObject({
    image: z.string(),
    mirrors: z.record(z.string(), z.array(z.string())),
    configs: z.record(z.string(), z.unknown()),
  }),
  expect: z.strictObject({
    endpoints_in_order: z.array(z.string()),
    auth: z.array(z.string().nullable()).optional(),
    skip_verify: z.array(z.boolean()).optional(),
  }),
});

/** What that reader makes of a name. */
export const WharfieRewrite = z.strictObject({
  given: z.strictObject({ image: z.string(), mirror_of: z.string(), rewrite: texts }),
  expect: z.strictObject({ rewritten: z.string() }),
});

/** What a vector gives to lint. */
export const LintGiven = z.looseObject({
  registries_yaml: z.string().optional(),
  rewrite: texts.optional(),
  disable_default_registry_endpoint: z.boolean().optional(),
});
