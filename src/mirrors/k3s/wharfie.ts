/**
 * How RKE2 pulls its own image when it starts: by rancher/wharfie, which reads the same registries.yaml with rules of
 * its own (pkg/registries/registries.go, endpoint.go; v0.7.1).
 */

import { HUB, HUB_INDEX } from '../../oci/docker-hub.ts';
import { parseReference, pullReference, repositoryName } from '../../oci/reference.ts';
import { cleanPath } from '../go/go-path.ts';
import { isLocalHost, splitHostPort } from '../go/host-port.ts';
import { parseEndpointUrl } from './convert/endpoint-address.ts';
import { rewriteRepository } from './node/rewrite.ts';
import type { Mirror, Registries, RegistryConfig } from './registries-file.ts';

/** One endpoint that it asks, in order; there is no way to leave the registry itself out. */
export interface WharfieEndpoint {
  /** `https://mirror.example/v2`. */
  readonly url: string;
  /** Of the login, where there is one. */
  readonly username?: string;
  readonly skipVerify: boolean;
}

/** What it asks for, and where. */
export interface WharfiePull {
  /** With the registry and tag or digest: `index.docker.io/library/busybox:latest`. */
  readonly image: string;
  readonly repository: string;
  readonly endpoints: readonly WharfieEndpoint[];
}

/** `busybox` → its mirrors under `docker.io`, then `https://index.docker.io/v2`. */
export function wharfiePull(image: string, registries: Registries): WharfiePull {
  const reference = pullReference(parseReference(image));
  const registry = reference.domain === HUB ? HUB_INDEX : reference.domain;
  const plain = repositoryName(reference).slice(reference.domain.length + 1);
  const repository = rewritten(plain, registry, registries);
  const object =
    reference.digest === undefined ? `:${reference.tag ?? 'latest'}` : `@${reference.digest}`;
  const keys = [...hostKeys(registry), ...portKeys(registry), '*'];
  const mirror = firstOf(registries.mirrors, keys);
  const urls = [...(mirror?.endpoints.map(({ value }) => value) ?? []), registry];
  return {
    image: `${registry}/${repository}${object}`,
    repository,
    endpoints: urls.flatMap((url) => endpointOf(url, registries) ?? []),
  };
}

/** Docker Hub has two names; the old one is what this program calls it. */
function hostKeys(registry: string): readonly string[] {
  return registry === HUB_INDEX ? [registry, HUB] : [registry];
}

function portKeys(registry: string): readonly string[] {
  const hasPort = splitHostPort(registry).port !== '';
  return registry === HUB_INDEX || hasPort ? [] : [`${registry}:443`, `${registry}:80`];
}

function firstOf<T>(map: ReadonlyMap<string, T>, keys: readonly string[]): T | undefined {
  const key = keys.find((one) => map.has(one));
  return key === undefined ? undefined : map.get(key);
}

function endpointOf(text: string, registries: Registries): WharfieEndpoint | undefined {
  const parsed = parseEndpointUrl(text);
  if (!parsed.ok || parsed.url.host === '') return undefined;
  const { host, path } = parsed.url;
  const { port } = splitHostPort(host);
  const isPlain = isLocalHost(host) && port !== '' && port !== '443';
  const scheme = parsed.url.scheme || (isPlain ? 'http' : 'https');
  const isDefault = path === '' || path === '/' || path === '/v2';
  const config = configOf(host, registries);
  const username = config?.auth?.username;
  return {
    url: `${scheme}://${host}${isDefault ? '/v2' : cleanPath(path)}`,
    ...(username !== undefined && { username }),
    skipVerify: config?.tls?.skipVerify === true,
  };
}

/** Unlike containerd it falls back to the settings of `*`. */
function configOf(host: string, { configs }: Registries): RegistryConfig | undefined {
  return firstOf(configs, [...hostKeys(host), '*']);
}

/** The first mirror that is found decides, also when it has no rewrites. */
function rewritten(repository: string, registry: string, { mirrors }: Registries): string {
  const mirror: Mirror | undefined = firstOf(mirrors, [...hostKeys(registry), '*']);
  if (mirror === undefined) return repository;
  const result = rewriteRepository(mirror.rewrites, repository).repository;
  return /^[a-z0-9._/-]{2,255}$/.test(result) ? result : repository;
}
