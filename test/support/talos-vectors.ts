/** Compares mirror vectors of Talos with what src/mirrors computes; a shape that is not here fails. */

import { z } from 'zod';
import { talosBehaviourFor } from '../../src/mirrors/talos/behaviour.ts';
import { criRegistriesPart } from '../../src/mirrors/talos/convert/cri-config.ts';
import { generateHosts } from '../../src/mirrors/talos/convert/generate-hosts.ts';
import { ownEndpoints } from '../../src/mirrors/talos/convert/own-endpoints.ts';
import type {
  HostAuth,
  HostTls,
  Mirror,
  Registries,
} from '../../src/mirrors/talos/read/registries.ts';
import { Secret } from '../../src/shared/secret.ts';
import { compareField } from '../conformance/vectors/compare.ts';

const Endpoint = z.union([
  z.string(),
  z.strictObject({ url: z.string(), overridePath: z.boolean().optional() }),
]);
const Mirrors = z.record(
  z.string(),
  z.union([
    z.array(Endpoint),
    z.strictObject({ endpoints: z.array(Endpoint), skipFallback: z.boolean().optional() }),
  ]),
);
const Tls = z.record(
  z.string(),
  z.strictObject({
    ca: z.string().optional(),
    insecureSkipVerify: z.boolean().optional(),
    clientIdentity: z.strictObject({ crt: z.string(), key: z.string() }).optional(),
  }),
);
const Asked = z.strictObject({
  given: z.strictObject({ mirrors: Mirrors, ref_host: z.string() }),
  expect: z.strictObject({ endpoints_in_order: z.array(z.string()) }),
});
const Generated = z.strictObject({
  given: z.strictObject({
    mirrors: Mirrors.default({}),
    tls: Tls.default({}),
    auths: z.array(z.string()).default([]),
  }),
  expect: z.strictObject({
    files: z.record(z.string(), z.string()).optional(),
    directory: z.string().optional(),
    server: z.string().optional(),
    cri_configs_keys: z.array(z.string()).optional(),
    error: z.string().optional(),
  }),
});
const Vector = z.looseObject({ given: z.unknown(), expect: z.unknown() });

const origin = { file: '' };

/** The differences between one vector of the runtime `talos` and our result; `[]` if none. */
export async function checkTalosVector(vector: unknown): Promise<string[]> {
  const parsed = Vector.safeParse(vector);
  if (!parsed.success) return ['unknown shape: no given or no expect'];
  if (parsed.data['lint'] !== undefined) return ['unknown shape: a lint of Talos'];
  const { given, expect } = parsed.data;
  const asked = Asked.safeParse({ given, expect });
  if (asked.success) {
    const mirrors = mirrorsOf(asked.data.given.mirrors);
    const got = ownEndpoints(asked.data.given.ref_host, { mirrors }).map(({ url }) => url);
    return compareField('endpoints_in_order', asked.data.expect.endpoints_in_order, got);
  }
  const generated = Generated.safeParse({ given, expect });
  if (generated.success) return checkGenerated(generated.data);
  return [`unknown shape: ${z.prettifyError(asked.error)}`];
}

async function checkGenerated({ given, expect }: z.infer<typeof Generated>): Promise<string[]> {
  const registries: Registries = {
    mirrors: mirrorsOf(given.mirrors),
    tls: new Map(Object.entries(given.tls).map(([name, tls]) => [name, tlsOf(name, tls)])),
    auths: new Map(given.auths.map((name) => [name, authOf(name)])),
  };
  const { directory, server, files, error, cri_configs_keys: keys } = expect;
  const made = generateHosts(registries);
  const texts = made.ok ? Object.fromEntries(made.files) : {};
  const behaviour = await talosBehaviourFor({ name: 'talos', version: '1.13.9' });
  const part = criRegistriesPart(registries.auths, behaviour);
  const lines = (texts[`${directory ?? ''}/hosts.toml`] ?? '').split('\n');
  return [
    ...compareField('error', error, made.ok ? undefined : made.error),
    ...(files === undefined ? [] : compareField('files', files, texts)),
    ...(server === undefined ? [] : compareField('server', `server = '${server}'`, lines[0])),
    ...(keys === undefined ? [] : compareField('cri_configs_keys', [...keys].sort(), keysIn(part))),
  ];
}

function keysIn(part: string): readonly string[] {
  const found = part.matchAll(/registry\.configs\.'?([^'\]]+)'?\]$/gm);
  return Array.from(found, ([, key = '']) => key).sort();
}

function mirrorsOf(given: z.infer<typeof Mirrors>): ReadonlyMap<string, Mirror> {
  const entries = Object.entries(given).map(([name, one]): [string, Mirror] => {
    const { endpoints, skipFallback = false } = Array.isArray(one) ? { endpoints: one } : one;
    const read = endpoints.map((endpoint) => {
      const { url, overridePath = false } =
        typeof endpoint === 'string' ? { url: endpoint } : endpoint;
      return { url, overridePath, origin };
    });
    return [name, { name, endpoints: read, skipFallback, origin }];
  });
  return new Map(entries);
}

function tlsOf(name: string, tls: z.infer<typeof Tls>[string]): HostTls {
  const { ca, clientIdentity: client, insecureSkipVerify: skipVerify = false } = tls;
  return {
    ...{ name, skipVerify, origin, skipVerifyOrigin: origin },
    ...(ca !== undefined && { ca }),
    ...(client && { client: { certificate: client.crt, key: client.key } }),
  };
}

function authOf(name: string): HostAuth {
  const none = new Secret('');
  return { name, username: 'u', password: none, auth: none, identityToken: none, origin };
}
