/** Compares mirror vectors of Docker with what src/mirrors computes; a shape that is not here fails. */

import { z } from 'zod';
import { dockerBehaviourFor } from '../../src/mirrors/docker/behaviour.ts';
import {
  isSecureHost,
  readInsecureEntry,
} from '../../src/mirrors/docker/read/insecure-registries.ts';
import { validateMirror } from '../../src/mirrors/docker/read/mirror-url.ts';
import {
  type DockerEndpoint,
  dockerEndpoint,
} from '../../src/mirrors/docker/walk/docker-endpoint.ts';
import { mirrorEndpoint } from '../../src/mirrors/docker/walk/store-endpoints.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import { openRuntime } from '../../src/mirrors/open-runtime.ts';
import { compareField } from '../conformance/vectors/compare.ts';
import { compareLint, LintedVector } from './vector-lint.ts';

/** Two versions: before and since the containerd image store is the default, with main's texts. */
const CLASSIC = '28.5.2';
const MAIN = '29.7.2';

const Pulled = z.strictObject({
  given: z.strictObject({ daemon_json: z.record(z.string(), z.unknown()), ref: z.string() }),
  expect: z.strictObject({ endpoints_in_order: z.array(z.string()) }),
});
const Pushed = z.strictObject({
  given: z.strictObject({ daemon_json: z.record(z.string(), z.unknown()), push: z.string() }),
  expect: z.strictObject({ endpoints_in_order: z.array(z.string()) }),
});
const Store = z.strictObject({
  given: z.strictObject({ registry_mirror: z.string(), default: z.string() }),
  expect: z.strictObject({
    endpoints_in_order: z.array(z.string()),
    mirror_capabilities: z.array(z.string()),
  }),
});
const Outcome = <Field extends string>(field: Field) =>
  z.union([
    z.strictObject({ error_contains: z.string() }),
    // TypeScript widens the one computed key to any text.
    z.strictObject({ [field]: z.string() } as { [Name in Field]: z.ZodString }),
  ]);
const Validated = z.strictObject({
  given: z.strictObject({ registry_mirror: z.string() }),
  expect: Outcome('accepted_as'),
});
const Insecure = z.strictObject({
  given: z.strictObject({ insecure_registry: z.string() }),
  expect: Outcome('index'),
});
const Secure = z.strictObject({
  given: z.strictObject({
    host: z.string(),
    insecure_registries: z.array(z.string()).nullable(),
    dns: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  }),
  expect: z.strictObject({ secure: z.boolean() }),
});

const Vector = LintedVector.extend({ given: z.unknown(), expect: z.unknown() });

/** The differences between one vector of the runtime `docker` and our result; `[]` if none. */
export async function checkDockerVector(vector: unknown): Promise<string[]> {
  const parsed = Vector.safeParse(vector);
  if (!parsed.success) return ['unknown shape: no given or no expect'];
  const { given, expect } = parsed.data;
  const body = { given, expect };
  const pulled = Pulled.safeParse(body);
  if (pulled.success) return checkPull(pulled.data, parsed.data);
  const pushed = Pushed.safeParse(body);
  if (pushed.success) return checkPush(pushed.data, parsed.data);
  const store = Store.safeParse(body);
  if (store.success) return checkStore(store.data);
  const validated = Validated.safeParse(body);
  if (validated.success) return checkMirror(validated.data, parsed.data);
  const insecure = Insecure.safeParse(body);
  if (insecure.success) return checkInsecure(insecure.data, parsed.data);
  const secure = Secure.safeParse(body);
  if (secure.success) return checkSecure(secure.data);
  return [`unknown shape: ${z.prettifyError(pulled.error)}`];
}

async function nodeWith(daemonJson: Readonly<Record<string, unknown>>) {
  const tree = memoryTree({ '/etc/docker/daemon.json': JSON.stringify(daemonJson, null, 2) });
  const rules = await openRuntime({ name: 'docker', version: CLASSIC });
  return { tree, rules, node: await rules.openNode(tree) };
}

async function checkPull(
  { given, expect }: z.infer<typeof Pulled>,
  vector: LintedVector,
): Promise<string[]> {
  const { tree, rules, node } = await nodeWith(given.daemon_json);
  const chain = await node.pullChain(given.ref);
  const got = chain.kind === 'endpoints' ? chain.endpoints.map(shown) : [chain.error];
  const found = [...chain.findings, ...(await rules.lint(tree, { mode: 'online' }))];
  return [
    ...compareField('endpoints_in_order', expect.endpoints_in_order, got),
    ...compareLint(vector, found),
  ];
}

async function checkPush(
  { given, expect }: z.infer<typeof Pushed>,
  vector: LintedVector,
): Promise<string[]> {
  const { tree, rules, node } = await nodeWith(given.daemon_json);
  const chain = await node.pullChain(given.push);
  const endpoints = chain.kind === 'endpoints' ? chain.endpoints : [];
  const got = endpoints.filter(({ capabilities }) => capabilities.includes('push')).map(shown);
  const found = [...chain.findings, ...(await rules.lint(tree, { mode: 'online' }))];
  return [
    ...compareField('endpoints_in_order', expect.endpoints_in_order, got),
    ...compareLint(vector, found),
  ];
}

/** As the program's own lists have them: a mirror as it was written, others without the API's path. */
function shown({ role, base, scheme, trust }: DockerEndpoint): string {
  const url = role === 'mirror' ? base.replace(/v2$/, '') : base.replace(/\/v2$/, '');
  return trust.skipVerify && scheme === 'https' ? `${url} (unverified)` : url;
}

async function checkStore({ given, expect }: z.infer<typeof Store>): Promise<string[]> {
  const behaviour = await dockerBehaviourFor({ name: 'docker', version: MAIN });
  const { scheme, host, path } = partsOf(given.default);
  const trust = { ca: [], clients: [], skipVerify: false };
  const origin = { file: '' };
  const parts = { role: 'upstream', scheme, host, path, capabilities: [], trust, origin } as const;
  const upstream = dockerEndpoint(parts);
  // The upstream test goes past the check of the daemon, which would refuse one without a scheme.
  const written = given.registry_mirror;
  const named = {
    ...partsOf(written.includes('://') ? written : `${scheme}://${written}`),
    origin,
  };
  const mirror = mirrorEndpoint('docker.io', upstream, named, behaviour);
  return [
    ...compareField('endpoints_in_order', expect.endpoints_in_order, [mirror.base, upstream.base]),
    ...compareField('mirror_capabilities', expect.mirror_capabilities, [...mirror.capabilities]),
  ];
}

function partsOf(url: string) {
  const [, scheme = '', host = '', path = ''] = /^(\w+):\/\/([^/]*)(.*)$/.exec(url) ?? [];
  return { scheme, host, path: path.replace(/\/+$/, '') };
}

async function checkMirror(
  { given, expect }: z.infer<typeof Validated>,
  vector: LintedVector,
): Promise<string[]> {
  const behaviour = await dockerBehaviourFor({ name: 'docker', version: MAIN });
  const read = validateMirror(given.registry_mirror, behaviour);
  const { tree, rules } = await nodeWith({ 'registry-mirrors': [given.registry_mirror] });
  const found = await rules.lint(tree, { mode: 'online' });
  const isFound = found.some(({ rule }) => rule === 'D002');
  return [
    ...compareOutcome(expect, 'accepted_as', read.ok ? { ok: true, value: read.url } : read),
    ...compareField('D002', 'error_contains' in expect, isFound),
    ...compareLint(vector, found),
  ];
}

async function checkInsecure(
  { given, expect }: z.infer<typeof Insecure>,
  vector: LintedVector,
): Promise<string[]> {
  const read = readInsecureEntry(given.insecure_registry);
  const { tree, rules } = await nodeWith({ 'insecure-registries': [given.insecure_registry] });
  const value = read.ok && read.kind === 'name' ? read.name : given.insecure_registry;
  return [
    ...compareOutcome(expect, 'index', read.ok ? { ok: true, value } : read),
    ...compareLint(vector, await rules.lint(tree, { mode: 'online' })),
  ];
}

function compareOutcome(
  expect: Readonly<Record<string, string>>,
  field: string,
  got:
    | { readonly ok: true; readonly value: string }
    | { readonly ok: false; readonly reason: string },
): string[] {
  const { error_contains: text } = expect;
  if (text === undefined)
    return compareField(field, expect[field], got.ok ? got.value : got.reason);
  return !got.ok && got.reason.includes(text)
    ? []
    : [`error: expected ${JSON.stringify(text)} in ${JSON.stringify(got)}`];
}

function checkSecure({ given, expect }: z.infer<typeof Secure>): string[] {
  const addressesOf = (name: string) =>
    name === 'localhost' ? ['127.0.0.1', '::1'] : [given.dns[name] ?? []].flat();
  const secure = isSecureHost(given.host, given.insecure_registries ?? [], addressesOf);
  return compareField('secure', expect.secure, secure);
}
