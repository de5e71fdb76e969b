/**
 * Compares mirror vectors of containerd with what src/mirrors computes. Used by the vector runner
 * and, with the vectors that may be copied, by a unit test.
 */

import { z } from 'zod';
import {
  type ContainerdBehaviour,
  loadContainerdVersions,
} from '../../src/mirrors/containerd-version/behaviour.ts';
import type { RegistryEndpoint, UpstreamDefaults } from '../../src/mirrors/hosts-toml/endpoints.ts';
import type { HostEntry } from '../../src/mirrors/hosts-toml/read/host-entry.ts';
import { readHostsFile } from '../../src/mirrors/hosts-toml/read/hosts-file.ts';
import {
  type RulesOutcome,
  readRegistryRules,
} from '../../src/mirrors/hosts-toml/registry-rules.ts';
import { fetchRequests } from '../../src/mirrors/hosts-toml/walk/fetch-requests.ts';
import { pushRequests } from '../../src/mirrors/hosts-toml/walk/push-requests.ts';
import { resolveRequests } from '../../src/mirrors/hosts-toml/walk/resolve-requests.ts';
import { wireRulesOf } from '../../src/mirrors/hosts-toml/walk/version-rules.ts';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import type { Answer, PullRequest, PullWalk, WalkOutcome } from '../../src/mirrors/pull-walk.ts';
import { type Digest, isDigest } from '../../src/oci/digest.ts';
import { containerdRegistryKey, parseReference } from '../../src/oci/reference.ts';
import { compareField } from '../conformance/vectors/compare.ts';
import { containerdChain } from './containerd-chain.ts';
import { compareContainerdLint } from './containerd-vector-lint.ts';
import {
  DefaultHosts,
  type Endpoint,
  Executed,
  type ParsedEndpoint,
  ParsedFile,
  Reached,
  Scheme,
} from './containerd-vector-shapes.ts';
import { LintedVector } from './vector-lint.ts';

/** The upstream tests that are restated in vectors without versions belong to this one. */
const MAIN = '2.4.0';

type Given = z.infer<typeof Executed>['given'];
type Expected = z.infer<typeof Executed>['expect'][number];

const Vector = LintedVector.extend({
  given: z.unknown(),
  expect: z.unknown(),
});

/** The differences between one vector of the runtime `containerd` and our result; `[]` if none. */
export async function checkContainerdVector(vector: unknown): Promise<string[]> {
  const parsed = Vector.safeParse(vector);
  if (!parsed.success) return ['unknown shape: no given or no expect'];
  const { given, expect, lint } = parsed.data;
  const body = { given, expect };
  const executed = Executed.safeParse(body);
  if (executed.success) return checkExecuted(executed.data, parsed.data);
  if (lint !== undefined) return ['unknown shape: a lint without files'];
  const defaults = DefaultHosts.safeParse(body);
  if (defaults.success) return checkDefaultHosts(defaults.data);
  const scheme = Scheme.safeParse(body);
  if (scheme.success) return checkScheme(scheme.data);
  const file = ParsedFile.safeParse(body);
  if (file.success) return checkParsedFile(file.data);
  const reached = Reached.safeParse(body);
  if (reached.success) return checkReached(reached.data);
  return [`unknown shape: ${z.prettifyError(executed.error)}`];
}

async function behaviourOf(version: string): Promise<ContainerdBehaviour> {
  return (await loadContainerdVersions()).behaviourOf(version);
}

async function checkExecuted(
  { given, expect }: z.infer<typeof Executed>,
  vector: LintedVector,
): Promise<string[]> {
  const problems: string[] = [];
  for (const expected of expect) {
    for (const version of expected.versions) {
      const found = await compareVersion(given, expected, await behaviourOf(version));
      problems.push(...found.map((problem) => `${version} ${problem}`));
    }
  }
  const versions = expect.flatMap((expected) => expected.versions);
  return [...problems, ...(await compareContainerdLint(vector, given, versions))];
}

async function compareVersion(
  given: Given,
  expected: Expected,
  behaviour: ContainerdBehaviour,
): Promise<string[]> {
  const outcome = await rulesOf(given, behaviour);
  if (outcome.kind === 'failed') {
    return [
      ...compareField('error', expected.error, outcome.error),
      ...compareField('endpoints', expected.endpoints, undefined),
    ];
  }
  const chain = containerdChain(given.ref, outcome.endpoints, behaviour);
  const answer = (request: PullRequest) => answerTo(request, given);
  const resolved = run(resolveRequests(chain, given.ref), answer);
  const error = resolved.outcome.kind === 'failed' ? resolved.outcome.error : undefined;
  const blobs = digestIn(expected.blob_requests);
  const pushes = digestIn(expected.push_requests);
  return [
    ...compareField('error', expected.error, undefined),
    ...compareField('endpoints', expected.endpoints, outcome.endpoints.map(shownEndpoint)),
    ...compareField('resolve_requests', expected.resolve_requests, resolved.sent),
    ...compareField('resolve_error', expected.resolve_error, error),
    ...compareField(
      'blob_requests',
      expected.blob_requests,
      blobs && run(fetchRequests(chain, { digest: blobs, kind: 'blobs', urls: [] }), answer).sent,
    ),
    ...compareField(
      'push_requests',
      expected.push_requests,
      pushes && run(pushRequests(chain, pushes), answer).sent,
    ),
  ];
}

function rulesOf(given: Given, behaviour: ContainerdBehaviour): Promise<RulesOutcome> {
  const roots = given.config_path_roots ?? [given.config_path_as_one_string ?? ''];
  const scheme = given.default_scheme;
  return outcomeFor(given.ref, given.files, {
    roots,
    behaviour,
    defaults: scheme === undefined ? {} : { scheme },
  });
}

async function outcomeFor(
  ref: string,
  files: Readonly<Record<string, string>>,
  rest: {
    readonly roots: readonly string[];
    readonly behaviour: ContainerdBehaviour;
    readonly defaults?: UpstreamDefaults;
  },
): Promise<RulesOutcome> {
  const registry = containerdRegistryKey(parseReference(ref));
  return (await readRegistryRules({ tree: memoryTree(files), registry, ...rest })).outcome;
}

/** The blob that the requests of a vector are about; the vectors name it nowhere else. */
function digestIn(requests: readonly string[] | undefined): Digest | undefined {
  const text = /sha256:[0-9a-f]{64}/.exec(requests?.[0] ?? '')?.[0];
  return text !== undefined && isDigest(text) ? text : undefined;
}

function answerTo({ url }: PullRequest, given: Given): Answer {
  const [, scheme, host = ''] = /^([^:]*):\/\/([^/]*)/.exec(url) ?? [];
  if (scheme === 'https' && given.speaks_only_http?.includes(host)) return { kind: 'plain-http' };
  const status = given.answers?.[host] ?? given.answers?.['others'] ?? 404;
  if (status === 0) return { kind: 'no-connection', reason: 'dial tcp: connection refused' };
  return { kind: 'status', status };
}

function run(
  walk: PullWalk,
  answer: (request: PullRequest) => Answer,
): { readonly sent: string[]; readonly outcome: WalkOutcome } {
  const sent: string[] = [];
  let step = walk.next();
  while (step.done !== true) {
    sent.push(`${step.value.method} ${step.value.url}`);
    step = walk.next(answer(step.value));
  }
  return { sent, outcome: step.value };
}

function shownEndpoint(endpoint: RegistryEndpoint): z.infer<typeof Endpoint> {
  return {
    base: endpoint.base,
    capabilities: endpoint.capabilities.filter((name) => name !== 'referrers'),
    // The recording transport could not look behind the one that falls back to HTTP.
    ...(endpoint.trust.skipVerify && !endpoint.httpsFirst ? { tls_skip_verify: true } : {}),
    ...(endpoint.httpsFirst ? { https_first_then_http: true } : {}),
  };
}

async function checkDefaultHosts({
  given,
  expect,
}: z.infer<typeof DefaultHosts>): Promise<string[]> {
  const outcome = await defaultsFor(given.ref_host, {});
  const endpoints = outcome.map(({ base, capabilities }) => ({ base, capabilities }));
  return compareField('endpoints', expect.endpoints, endpoints);
}

async function defaultsFor(
  host: string,
  defaults: UpstreamDefaults,
): Promise<readonly RegistryEndpoint[]> {
  const behaviour = await behaviourOf(MAIN);
  const tree = memoryTree({});
  const { outcome } = await readRegistryRules({
    tree,
    roots: [],
    registry: host,
    behaviour,
    defaults,
  });
  return outcome.kind === 'endpoints' ? outcome.endpoints : [];
}

async function checkScheme({ given, expect }: z.infer<typeof Scheme>): Promise<string[]> {
  const [endpoint] = await defaultsFor(given.ref_host, {
    hasTls: given.default_tls_configured,
    ...(given.default_scheme === null ? {} : { scheme: given.default_scheme }),
  });
  return [
    ...compareField('scheme', expect.scheme, endpoint?.scheme),
    ...compareField('https_first_then_http', expect.https_first_then_http, endpoint?.httpsFirst),
  ];
}

/** The upstream test reads the file alone, so no certificate file has to exist. */
async function checkParsedFile({ given, expect }: z.infer<typeof ParsedFile>): Promise<string[]> {
  const source = { bytes: Buffer.from(given.hosts_toml), path: 'hosts.toml', folder: '' };
  const file = readHostsFile(source, await behaviourOf(MAIN));
  if (file.kind !== 'entries') return [`the file is ${file.kind}`];
  return compareField('endpoints', expect.endpoints, file.entries.map(shownEntry));
}

function shownEntry(entry: HostEntry): z.infer<typeof ParsedEndpoint> {
  const { ca, clients, skipVerify, header, dialTimeoutMs } = entry;
  return {
    base: `${entry.scheme}://${entry.host}${entry.path}`,
    capabilities: [...entry.capabilities],
    ...(ca === undefined ? {} : { ca: [...ca] }),
    ...(clients === undefined ? {} : { client_pairs: clients.map((pair) => [...pair]) }),
    ...(header.size === 0
      ? {}
      : {
          header: Object.fromEntries(Array.from(header, ([name, values]) => [name, [...values]])),
        }),
    ...(skipVerify === undefined ? {} : { skip_verify: skipVerify }),
    ...(dialTimeoutMs === undefined ? {} : { dial_timeout: `${dialTimeoutMs / 1000}s` }),
  };
}

async function checkReached({ given, expect }: z.infer<typeof Reached>): Promise<string[]> {
  const hosts = { mirror: 'mirror.example:1', server: 'server.example:2' };
  const text = given.hosts_toml
    .replaceAll('<server>', `https://${hosts.server}`)
    .replaceAll('<mirror>', `https://${hosts.mirror}`);
  const behaviour = await behaviourOf(MAIN);
  const ref = `${hosts.server}/a:1`;
  const files = { [`certs.d/${hosts.server}/hosts.toml`]: text };
  const outcome = await outcomeFor(ref, files, { roots: ['certs.d'], behaviour });
  if (outcome.kind === 'failed') return [outcome.error];
  const chain = containerdChain(ref, outcome.endpoints, behaviour);
  const up = given.reachable.map((name): string => hosts[name]);
  const { sent, outcome: end } = run(resolveRequests(chain), ({ endpoint }) =>
    up.includes(endpoint.host)
      ? { kind: 'status', status: 200 }
      : { kind: 'no-connection', reason: 'refused' },
  );
  if (end.kind === 'failed') return [end.error];
  const { endpoint } = end.by;
  return [
    ...compareField('answered_by', hosts[expect.answered_by], endpoint.host),
    ...compareField(
      'upstream_contacted',
      expect.upstream_contacted,
      sent.some((request) => request.includes(hosts.server)),
    ),
    ...compareField(
      'headers_only_of',
      expect.headers_only_of,
      endpoint.headers.get('User-Agent')?.[0]?.reveal(),
    ),
    ...compareField(
      'headers_also_sent_to_token_server',
      expect.headers_also_sent_to_token_server,
      wireRulesOf(behaviour).tokenServerGetsHeaders,
    ),
  ];
}
