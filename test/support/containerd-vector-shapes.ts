/** The shapes of the mirror vectors of containerd; a key that is not here fails the vector. */

import { z } from 'zod';

/** One endpoint as the executed vectors show it. */
export const Endpoint = z.strictObject({
  base: z.string(),
  capabilities: z.array(z.string()),
  tls_skip_verify: z.boolean().optional(),
  https_first_then_http: z.boolean().optional(),
});

/** A directory tree, a reference, and what each version did with them. */
export const Executed = z.strictObject({
  given: z.strictObject({
    files: z.record(z.string(), z.string()),
    ref: z.string(),
    config_path_roots: z.array(z.string()).optional(),
    config_path_as_one_string: z.string().optional(),
    answers: z.record(z.string(), z.int()).optional(),
    speaks_only_http: z.array(z.string()).optional(),
    default_scheme: z.string().optional(),
  }),
  expect: z.array(
    z.strictObject({
      versions: z.array(z.string()).min(1),
      endpoints: z.array(Endpoint).optional(),
      resolve_requests: z.array(z.string()).optional(),
      blob_requests: z.array(z.string()).optional(),
      push_requests: z.array(z.string()).optional(),
      resolve_error: z.string().optional(),
      error: z.string().optional(),
    }),
  ),
});

/** The endpoints of a registry without any configuration. */
export const DefaultHosts = z.strictObject({
  given: z.strictObject({ ref_host: z.string() }),
  expect: z.strictObject({ endpoints: z.array(Endpoint) }),
});
/** The scheme of a registry without configuration, with the defaults of a library user. */
export const Scheme = z.strictObject({
  given: z.strictObject({
    ref_host: z.string(),
    default_scheme: z.string().nullable(),
    default_tls_configured: z.boolean(),
  }),
  expect: z.strictObject({ scheme: z.string(), https_first_then_http: z.boolean() }),
});
/** One host table as the parser gives it. */
export const ParsedEndpoint = z.strictObject({
  base: z.string(),
  capabilities: z.array(z.string()),
  ca: z.array(z.string()).optional(),
  client_pairs: z.array(z.array(z.string())).optional(),
  header: z.record(z.string(), z.array(z.string())).optional(),
  skip_verify: z.boolean().optional(),
  dial_timeout: z.string().optional(),
});
/** A hosts.toml and its host tables. */
export const ParsedFile = z.strictObject({
  given: z.strictObject({ hosts_toml: z.string() }),
  expect: z.strictObject({ endpoints: z.array(ParsedEndpoint) }),
});
/** A hosts.toml with a mirror and a server, and which of them answered. */
export const Reached = z.strictObject({
  given: z.strictObject({
    hosts_toml: z.string(),
    reachable: z.array(z.enum(['mirror', 'server'])),
  }),
  expect: z.strictObject({
    answered_by: z.enum(['mirror', 'server']),
    upstream_contacted: z.boolean(),
    headers_only_of: z.enum(['mirror', 'server']),
    headers_also_sent_to_token_server: z.boolean(),
  }),
});
