/** Image references in their full form: read, completed, written. */
import type { Digest } from './digest.ts';
import { HUB } from './docker-hub.ts';
import { completeReference, type NamingRules } from './reference-defaults.ts';
import { dockerGrammar } from './reference-grammar.ts';

/**
 * An image reference in its full form, as Docker, containerd's CRI plugin and the kubelet read it.
 * `nginx` → `{ domain: 'docker.io', path: 'library/nginx' }`. `domain` is empty for the few names
 * whose first component is no host for the grammar, such as `registry_1.example.com/a`.
 * Source: distribution/reference; vectors in testdata/references.json.
 */
export interface Reference {
  readonly domain: string;
  readonly path: string;
  readonly tag?: string;
  readonly digest?: Digest;
}

const dockerRules: NamingRules = {
  grammar: dockerGrammar,
  isRegistry: (first) =>
    first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first,
  upperCase: (repository) =>
    `invalid reference format: repository name (${repository}) must be lowercase`,
};

/**
 * Reads a reference as Docker, containerd's CRI plugin and the kubelet do.
 * `nginx:1` → `{ domain: 'docker.io', path: 'library/nginx', tag: '1' }`; no tag is added.
 * Throws REFERENCE_INVALID, whose data has the reason in the parser's own words.
 * Source: distribution/reference, ParseNormalizedNamed. One difference: sha384 digests, which Go
 * programs accept as a by-product of sha512, are an unsupported algorithm here.
 */
export function parseReference(text: string): Reference {
  return completeReference(text, dockerRules);
}

/**
 * What containerd's CRI plugin pulls: `latest` is added if there is neither tag nor digest, and a
 * tag beside a digest is dropped. Source: distribution/reference, ParseDockerRef.
 */
export function pullReference({ domain, path, tag, digest }: Reference): Reference {
  return digest === undefined ? { domain, path, tag: tag ?? 'latest' } : { domain, path, digest };
}

/** `{ domain: 'docker.io', path: 'library/nginx' }` → `docker.io/library/nginx`. */
export function repositoryName({ domain, path }: Pick<Reference, 'domain' | 'path'>): string {
  return domain === '' ? path : `${domain}/${path}`;
}

/** The full text of a reference, which {@link parseReference} reads back; adds no tag. */
export function formatReference(reference: Reference): string {
  const tag = reference.tag === undefined ? '' : `:${reference.tag}`;
  const digest = reference.digest === undefined ? '' : `@${reference.digest}`;
  return `${repositoryName(reference)}${tag}${digest}`;
}

/** The short form that people write: `docker.io/library/nginx:1` → `nginx:1`. */
export function familiarName(reference: Reference): string {
  if (reference.domain !== HUB) return formatReference(reference);
  const path = /^library\/([^/]+)$/.exec(reference.path)?.[1] ?? reference.path;
  return formatReference({ ...reference, domain: '', path });
}

/**
 * The registry as containerd looks it up in certs.d: the text before the first `/`, which is also
 * there for the names whose `domain` is empty. `registry_1.example.com/a` → `registry_1.example.com`.
 */
export function containerdRegistryKey(reference: Reference): string {
  const [first = ''] = repositoryName(reference).split('/');
  return first;
}
