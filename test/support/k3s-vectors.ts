/**
 * Compares vectors of k3s and wharfie with what src/mirrors/k3s computes. Used by the vector runner
 * and, with the vectors that may be copied, by a unit test.
 */

import { z } from 'zod';
import type { Finding } from '../../src/mirrors/finding.ts';
import { compileGoRegexp } from '../../src/mirrors/go/regexp/replace-all.ts';
import { type K3sBehaviour, k3sBehaviourFor } from '../../src/mirrors/k3s/behaviour.ts';
import {
  type HostConfigs,
  type HostEndpoint,
  hostConfigs,
} from '../../src/mirrors/k3s/convert/host-configs.ts';
import { hostDirectoryName, hostsText } from '../../src/mirrors/k3s/convert/hosts-text.ts';
import { k3sRules } from '../../src/mirrors/k3s/k3s-rules.ts';
import { rewriteRepository } from '../../src/mirrors/k3s/node/rewrite.ts';
import {
  type RegistriesFile,
  type RegistryConfig,
  readRegistries,
} from '../../src/mirrors/k3s/registries-file.ts';
import { wharfiePull } from '../../src/mirrors/k3s/wharfie.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import { compareField } from '../conformance/vectors/compare.ts';
import { plainRegistries } from './k3s-plain.ts';
import { simulatedRequests } from './k3s-requests.ts';
import * as shapes from './k3s-vector-shapes.ts';
import { compareLint, LintedVector } from './vector-lint.ts';

/** A version with the conversion that the vectors restate. */
const VERSION = 'v1.36.2+k3s1';
const REGISTRIES = '/etc/rancher/k3s/registries.yaml';
const CONFIG = '/etc/rancher/k3s/config.yaml';

const Vector = LintedVector.extend({
  runtime: z.enum(['k3s', 'wharfie']),
  given: z.unknown(),
  expect: z.unknown(),
});

/** The differences between one vector and our result; `[]` if none. */
export async function checkK3sVector(vector: unknown): Promise<string[]> {
  const parsed = Vector.safeParse(vector);
  if (!parsed.success) return ['unknown shape: no given or no expect'];
  const { runtime, given, expect, lint } = parsed.data;
  const body = { given, expect };
  if (runtime === 'wharfie') return checkWharfie(body);
  return [
    ...(await checkBody(body)),
    ...(lint === undefined ? [] : compareLint(parsed.data, await lintGiven(given))),
  ];
}

async function checkBody(body: unknown): Promise<string[]> {
  const test = shapes.HostsDirs.safeParse(body);
  if (test.success) return checkHostsDirs(test.data);
  const derived = shapes.Derived.safeParse(body);
  if (derived.success) return checkDerived(derived.data);
  const refused = shapes.Refused.safeParse(body);
  if (refused.success) return checkRefused(refused.data);
  const yaml = shapes.Parsed.safeParse(body);
  if (yaml.success) return checkParsed(yaml.data);
  const rewrite = shapes.Rewrite.safeParse(body);
  if (rewrite.success) return checkRewrite(rewrite.data);
  return [`unknown shape: ${z.prettifyError(derived.error)}`];
}

function behaviour(): Promise<K3sBehaviour> {
  return k3sBehaviourFor({ name: 'k3s', version: VERSION });
}

function convert(file: RegistriesFile, noDefaultEndpoint: boolean, embedded?: string): HostConfigs {
  if (file.kind === 'refused') throw new Error(file.error);
  const at = { start: 0, end: 0, line: 1, column: 1 };
  const tls = {
    at,
    caFile: 'server-ca',
    certFile: 'client-cert',
    keyFile: 'client-key',
    skipVerify: false,
    places: new Map(),
  };
  return hostConfigs(file.registries, {
    noDefaultEndpoint,
    ...(embedded !== undefined && { embedded: { address: embedded, tls: { at, tls } } }),
  });
}

function checkHostsDirs({ given, expect }: z.infer<typeof shapes.HostsDirs>): string[] {
  const { registries_yaml, disable_default_registry_endpoint: isOff = false } = given;
  const { hosts } = convert(readRegistries(registries_yaml), isOff, given.embedded_registry);
  const got = Object.fromEntries(
    Array.from(hosts, ([name, host]) => [
      name,
      {
        default: host.default === undefined ? null : shownEndpoint(host.default, true),
        endpoints: host.endpoints.map((endpoint) => shownEndpoint(endpoint, false)),
      },
    ]),
  );
  return compareField('hosts_dirs', expect.hosts_dirs, got);
}

function shownEndpoint({ address, config, rewrites }: HostEndpoint, isDefault: boolean) {
  const url = address === undefined ? null : address === 'empty' ? '' : address.url;
  const hasPath = typeof address === 'object' && address.overridePath && !isDefault;
  return {
    url,
    ...(hasPath && { override_path: true }),
    ...shownConfig(config),
    ...(rewrites.size > 0 && {
      rewrite: Object.fromEntries(Array.from(rewrites, ([key, { value }]) => [key, value])),
    }),
  };
}

function shownConfig(config: RegistryConfig | undefined) {
  const { auth, tls } = config ?? {};
  return {
    ...(auth && {
      auth: filled({ username: auth.username, password: auth.password.reveal() }),
    }),
    ...(tls && {
      tls: filled({
        ca: tls.caFile,
        cert: tls.certFile,
        key: tls.keyFile,
        insecure_skip_verify: tls.skipVerify,
      }),
    }),
  };
}

function filled(record: Readonly<Record<string, string | boolean>>) {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== '' && value !== false),
  );
}

async function checkDerived({ given, expect }: z.infer<typeof shapes.Derived>): Promise<string[]> {
  const { registries_yaml, disable_default_registry_endpoint: isOff = false } = given;
  const { hosts, warnings } = convert(readRegistries(registries_yaml), isOff);
  const texts = Object.fromEntries(
    Array.from(hosts, ([name, host]) => [
      `certs.d/${hostDirectoryName(name)}/hosts.toml`,
      hostsText(host, 'k3s'),
    ]),
  );
  const problems = [
    ...compareField('hosts_toml', expect.hosts_toml, texts),
    ...(expect.warnings === undefined
      ? []
      : compareField(
          'warnings',
          expect.warnings,
          warnings.map(({ value }) => value),
        )),
  ];
  // What upstream containerd makes of the files: it knows no rewrites.
  for (const wanted of expect.per_ref ?? []) {
    const { ref, resolve_requests, skip_verify_on } = wanted;
    const got = await simulatedRequests(texts, ref, (await behaviour()).containerd);
    problems.push(
      ...compareField(`${ref} resolve_requests`, resolve_requests, got.requests),
      ...compareField(`${ref} skip_verify_on`, skip_verify_on, got.skipVerifyOn),
    );
  }
  return problems;
}

/** The test program that recorded the texts had its types in a package of another name. */
function withoutPackage(text: string): string {
  return text.replaceAll('registries.', '');
}

function checkRefused({ given, expect }: z.infer<typeof shapes.Refused>): string[] {
  const file = readRegistries(given.registries_yaml);
  const error = file.kind === 'refused' ? withoutPackage(file.error) : undefined;
  return compareField('error', expect.error, error);
}

function checkParsed({ given, expect }: z.infer<typeof shapes.Parsed>): string[] {
  const file = readRegistries(given.registries_yaml);
  const got = file.kind === 'read' ? plainRegistries(file.registries) : undefined;
  return compareField('parsed', expect.parsed, got);
}

function checkRewrite({ given, expect }: z.infer<typeof shapes.Rewrite>): string[] {
  const rewrites = new Map(Object.entries(given.rewrite).map(([key, value]) => [key, { value }]));
  const { repository } = rewriteRepository(rewrites, given.repository);
  const [error] = [...rewrites.keys()].flatMap((pattern) => {
    const compiled = compileGoRegexp(pattern);
    return compiled.kind === 'invalid' ? [compiled.error] : [];
  });
  return [
    ...compareField('repository', expect.repository, repository),
    ...compareField('pattern_error', expect.pattern_error, error),
  ];
}

function checkWharfie(body: unknown): string[] {
  const endpoints = shapes.WharfieEndpoints.safeParse(body);
  if (endpoints.success) return checkWharfieEndpoints(endpoints.data);
  const rewrite = shapes.WharfieRewrite.safeParse(body);
  if (rewrite.success) return checkWharfieRewrite(rewrite.data);
  return [`unknown shape: ${z.prettifyError(endpoints.error)}`];
}

function checkWharfieEndpoints({
  given,
  expect,
}: z.infer<typeof shapes.WharfieEndpoints>): string[] {
  const mirrors: Record<string, object> = {};
  for (const [name, endpoint] of Object.entries(given.mirrors)) mirrors[name] = { endpoint };
  const text = JSON.stringify({ mirrors, configs: given.configs });
  const file = readRegistries(text);
  if (file.kind === 'refused') return [file.error];
  const { endpoints } = wharfiePull(given.image, file.registries);
  return [
    ...compareField(
      'endpoints_in_order',
      expect.endpoints_in_order,
      endpoints.map(({ url }) => url),
    ),
    ...(expect.auth === undefined
      ? []
      : compareField(
          'auth',
          expect.auth,
          endpoints.map(({ username }) => username ?? null),
        )),
    ...(expect.skip_verify === undefined
      ? []
      : compareField(
          'skip_verify',
          expect.skip_verify,
          endpoints.map((one) => one.skipVerify),
        )),
  ];
}

function checkWharfieRewrite({ given, expect }: z.infer<typeof shapes.WharfieRewrite>): string[] {
  const text = JSON.stringify({ mirrors: { [given.mirror_of]: { rewrite: given.rewrite } } });
  const file = readRegistries(text);
  if (file.kind === 'refused') return [file.error];
  return compareField(
    'rewritten',
    expect.rewritten,
    wharfiePull(given.image, file.registries).image,
  );
}

async function lintGiven(given: unknown): Promise<readonly Finding[]> {
  const { registries_yaml, rewrite, disable_default_registry_endpoint } =
    shapes.LintGiven.parse(given);
  const mirror = { endpoint: ['https://m.example.com'], rewrite };
  const text = registries_yaml ?? JSON.stringify({ mirrors: { 'docker.io': mirror } });
  const option = 'disable-default-registry-endpoint: true\n';
  const tree = memoryTree({
    [REGISTRIES]: text,
    ...(disable_default_registry_endpoint === true && { [CONFIG]: option }),
  });
  return k3sRules(await behaviour()).lint(tree, { mode: 'online' });
}
