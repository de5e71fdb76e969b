/** The places that are tried for one image, each with whom it trusts, how it logs in, and why it may be left out. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import { formatReference, type Reference, repositoryName } from '../../../oci/reference.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Origin } from '../../finding.ts';
import type { PullEndpoint, Skipped } from '../../pull-chain.ts';
import { type AuthSource, loginFor } from '../read/auth-files.ts';
import { readCertificateFolder } from '../read/certificate-folder.ts';
import type { RegistriesConfig } from '../read/registries-config.ts';
import { findRegistry } from './match-prefix.ts';
import { type PullSource, pullSources } from './pull-sources.ts';

/** One try: an endpoint, or the error that stands in its place. */
export interface Attempt {
  /** The name as it is asked for there. */
  readonly name: string;
  readonly endpoint?: PullEndpoint;
  readonly error?: string;
}

/** The tries for one candidate of a name, in order. */
export interface CandidateAttempts {
  readonly attempts: readonly Attempt[];
  readonly skipped: readonly Skipped[];
  /** Where a try that failed without a request is decided. */
  readonly origin: Origin;
}

/** What every try needs to know. */
export interface AttemptContext {
  readonly tree: ConfigTree;
  readonly config: RegistriesConfig;
  readonly auth: AuthSource;
}

/** All tries for one full name; `origin` is for a name without any table. */
export async function attemptsFor(
  reference: Reference,
  context: AttemptContext,
): Promise<CandidateAttempts> {
  const main = { file: context.config.places.main };
  const found = pullSources(context.config.registries, reference, main);
  const skipped: Skipped[] = found.leftOut.map(({ endpoint, because }) => ({
    origin: endpoint.origin,
    because: `${endpoint.location}: ${because}`,
  }));
  if (found.kind === 'failed') {
    const attempts = [{ name: formatReference(reference), error: found.error }];
    skipped.push({ origin: found.origin, because: found.error });
    return { attempts, skipped, origin: found.origin };
  }
  const attempts: Attempt[] = [];
  for (const source of found.sources) {
    const attempt = await attemptAt(source, reference, context);
    attempts.push(attempt);
    skipped.push(...attempt.skipped);
  }
  return { attempts, skipped, origin: found.registry?.origin ?? main };
}

type ToldAttempt = Attempt & { readonly skipped: readonly Skipped[] };

/** Source: go.podman.io/image/v5 v5.38.0, docker/docker_client.go, newDockerClientFromRef. */
async function attemptAt(
  source: PullSource,
  asked: Reference,
  context: AttemptContext,
): Promise<ToldAttempt> {
  const { reference, isMirror, insecure, origin } = source;
  const name = formatReference(reference);
  const failed = (error: string, at: Origin): ToldAttempt => ({
    name,
    error,
    skipped: [{ origin: at, because: error }],
  });
  const login = await loginFor(reference, context.auth);
  if (login.kind === 'failed') {
    return failed(`getting username and password: ${login.error}`, login.origin);
  }
  const certificates = await readCertificateFolder(context.tree, reference.domain);
  if (certificates.kind === 'failed') {
    return failed(certificates.error, { file: certificates.path });
  }
  const blocking = blockingRegistry(reference, context.config);
  if (blocking !== undefined) return failed(blocking.error, blocking.origin);
  const isElsewhere = repositoryName(reference) !== repositoryName(asked);
  const host = upstreamHost(reference.domain);
  const endpoint: PullEndpoint = {
    role: isMirror ? 'mirror' : isElsewhere ? 'server' : 'upstream',
    scheme: 'https',
    host,
    path: '/v2',
    base: `https://${host}/v2`,
    repository: reference.path,
    reachable: true,
    capabilities: isMirror || isElsewhere ? ['pull', 'resolve'] : ['pull', 'resolve', 'push'],
    httpsFirst: insecure,
    trust: { ca: certificates.ca, clients: certificates.clients, skipVerify: insecure },
    headers: new Map(),
    dialTimeoutMs: 30_000,
    ...(login.kind === 'login' ? { login: login.login } : {}),
    ...(login.programs.length === 0 ? {} : { loginPrograms: login.programs }),
    origin,
  };
  return {
    name,
    endpoint,
    skipped: login.programs.map(({ program, origin: named }) => ({
      origin: named,
      because: `${program} is asked for the login at ${host}; its answer is not known here`,
    })),
  };
}

/** A table that blocks the place itself, under its own name: a mirror may be blocked too. */
export function blockingRegistry(
  reference: Reference,
  { registries, places }: RegistriesConfig,
): { readonly error: string; readonly origin: Origin } | undefined {
  const registry = findRegistry(registries, repositoryName(reference));
  if (registry?.blocked !== true) return undefined;
  const folder = places.folders.at(-1) ?? '';
  const error = `registry ${registry.prefix} is blocked in ${places.main} or ${folder}`;
  return { error, origin: registry.origin };
}

/** Where a push of a name goes: to its own registry, whatever mirrors and locations say. */
export async function pushAttempt(reference: Reference, context: AttemptContext): Promise<Attempt> {
  const registry = findRegistry(context.config.registries, repositoryName(reference));
  const origin = registry?.origin ?? { file: context.config.places.main };
  const insecure = registry?.endpoint.insecure === true;
  return attemptAt({ reference, insecure, isMirror: false, origin }, reference, context);
}
