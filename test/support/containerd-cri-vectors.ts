/** Compares mirror vectors of containerd's CRI plugin with what src/mirrors computes. */

import { z } from 'zod';
import type { TomlTable } from '../../src/documents/toml.ts';
import { readCriAuth, registryConfigs } from '../../src/mirrors/containerd/cri/cri-auth.ts';
import { criEndpoints, defaultScheme } from '../../src/mirrors/containerd/cri/cri-mirrors.ts';
import { localPullReason } from '../../src/mirrors/containerd/cri/pull-mode.ts';
import { registryFault } from '../../src/mirrors/containerd/start/cri-check.ts';
import { loadContainerdVersions } from '../../src/mirrors/containerd-version/behaviour.ts';
import { compareField } from '../conformance/vectors/compare.ts';

/** The upstream tests belong to the main branch behind this version. */
const MAIN = '2.4.0';

// Settings are what a TOML table may hold; JSON has nothing else.
const Table = z.record(z.string(), z.json()).transform((value) => value as TomlTable);

const Mirrors = z.strictObject({
  given: z.strictObject({
    'registry.mirrors': z.record(z.string(), z.array(z.string())),
    ref_host: z.string(),
  }),
  expect: z.strictObject({ endpoints_in_order: z.array(z.string()) }),
});
const HostScheme = z.strictObject({
  given: z.strictObject({ host: z.string() }),
  expect: z.strictObject({ scheme: z.string() }),
});
const LocalPull = z.strictObject({
  given: z.strictObject({ cri_images: Table }),
  expect: z.strictObject({ uses_local_pull_instead_of_transfer_service: z.boolean() }),
});
const BadRegistry = z.strictObject({
  given: z.strictObject({ registry: Table }),
  expect: z.strictObject({ error: z.string(), effect: z.literal('CRI plugin does not load') }),
});
const Auths = z.strictObject({
  given: z.strictObject({ registry: Table }),
  expect: z.strictObject({ configs_key: z.string() }),
});
const Login = z.strictObject({
  given: z.strictObject({ auth: Table.nullable(), asking_host: z.string().nullable() }),
  expect: z.union([
    z.strictObject({ username: z.string(), secret: z.string() }),
    z.strictObject({ error: z.literal(true) }),
  ]),
});
const Vector = z.looseObject({ given: z.unknown(), expect: z.unknown() });

/** The differences of one vector of a runtime `containerd-cri-…`; `[]` if none. */
export async function checkContainerdCriVector(vector: unknown): Promise<string[]> {
  const parsed = Vector.safeParse(vector);
  if (!parsed.success) return ['unknown shape: no given or no expect'];
  const { given, expect } = parsed.data;
  const body = { given, expect };
  for (const check of [mirrors, hostScheme, localPull, badRegistry, auths, login]) {
    const problems = await check(body);
    if (problems !== undefined) return problems;
  }
  return ['unknown shape: no check fits'];
}

type Body = { readonly given: unknown; readonly expect: unknown };

function mirrors(body: Body): string[] | undefined {
  const { data } = Mirrors.safeParse(body);
  if (data === undefined) return undefined;
  const table = Object.fromEntries(
    Object.entries(data.given['registry.mirrors']).map(([key, endpoint]) => [key, { endpoint }]),
  );
  const endpoints = criEndpoints(table, data.given.ref_host);
  return compareField('endpoints_in_order', data.expect.endpoints_in_order, [...endpoints]);
}

function hostScheme(body: Body): string[] | undefined {
  const { data } = HostScheme.safeParse(body);
  if (data === undefined) return undefined;
  return compareField('scheme', data.expect.scheme, defaultScheme(data.given.host));
}

function localPull(body: Body): string[] | undefined {
  const { data } = LocalPull.safeParse(body);
  if (data === undefined) return undefined;
  const field = 'uses_local_pull_instead_of_transfer_service';
  return compareField(
    field,
    data.expect[field],
    localPullReason(data.given.cri_images) !== undefined,
  );
}

async function badRegistry(body: Body): Promise<string[] | undefined> {
  const { data } = BadRegistry.safeParse(body);
  if (data === undefined) return undefined;
  const behaviour = (await loadContainerdVersions()).behaviourOf(MAIN);
  const fault = registryFault({ registry: data.given.registry }, behaviour);
  return compareField('error', data.expect.error, fault?.error);
}

function auths(body: Body): string[] | undefined {
  const { data } = Auths.safeParse(body);
  if (data === undefined) return undefined;
  return compareField(
    'configs_key',
    [data.expect.configs_key],
    Object.keys(registryConfigs(data.given.registry)),
  );
}

function login(body: Body): string[] | undefined {
  const { data } = Login.safeParse(body);
  if (data === undefined) return undefined;
  const found = readCriAuth(data.given.auth ?? undefined, data.given.asking_host ?? '');
  if ('error' in data.expect) return compareField('kind', 'bad', found.kind);
  const shown = { kind: found.kind, username: '', secret: '' };
  if (found.kind === 'login') {
    shown.username = found.login.username;
    shown.secret = found.login.secret.reveal();
  }
  const { username, secret } = data.expect;
  return [
    ...compareField('username', username, shown.username),
    ...compareField('secret', secret, shown.secret),
  ];
}
