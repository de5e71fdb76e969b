/** From a name to the places where it is pulled from, in order. Source: pkg/sysregistriesv2, PullSourcesFromReference. */

import { parsePodmanReference } from '../../../oci/dialects/podman.ts';
import { ReferenceInvalid } from '../../../oci/errors.ts';
import { formatReference, type Reference, repositoryName } from '../../../oci/reference.ts';
import type { Origin } from '../../finding.ts';
import type { ConfiguredEndpoint, ConfiguredRegistry } from '../read/registries-types.ts';
import { findRegistry, matchLength } from './match-prefix.ts';

/** One place, and the name there. */
export interface PullSource {
  readonly reference: Reference;
  readonly insecure: boolean;
  readonly isMirror: boolean;
  readonly origin: Origin;
}

/** A mirror that is left out for this name, and why. */
export interface LeftOut {
  readonly endpoint: ConfiguredEndpoint;
  readonly because: string;
}

/** The places of one name, or why it cannot be pulled at all. */
export type PullSources = {
  readonly registry: ConfiguredRegistry | undefined;
  readonly leftOut: readonly LeftOut[];
} & (
  | { readonly kind: 'sources'; readonly sources: readonly PullSource[] }
  | { readonly kind: 'failed'; readonly error: string; readonly origin: Origin }
);

/**
 * Mirrors that fit, then the registry itself, each with its location in place of the prefix. One that
 * makes no valid name of it fails the pull, whatever the others are.
 */
export function pullSources(
  registries: readonly ConfiguredRegistry[],
  reference: Reference,
  fallbackOrigin: Origin,
): PullSources {
  const registry = findRegistry(registries, repositoryName(reference));
  if (registry === undefined) {
    const source = { reference, insecure: false, isMirror: false, origin: fallbackOrigin };
    return { kind: 'sources', registry, sources: [source], leftOut: [] };
  }
  const leftOut = registry.mirrors.flatMap((endpoint) => {
    const because = reasonAgainst(endpoint, registry, reference);
    return because === undefined ? [] : [{ endpoint, because }];
  });
  const mirrors = registry.mirrors.filter((one) =>
    leftOut.every(({ endpoint }) => endpoint !== one),
  );
  const sources: PullSource[] = [];
  for (const endpoint of [...mirrors, registry.endpoint]) {
    const rewritten = rewriteReference(reference, registry.prefix, endpoint.location);
    if (rewritten.kind === 'failed') {
      const { error } = rewritten;
      return { kind: 'failed', registry, leftOut, error, origin: endpoint.origin };
    }
    sources.push({
      reference: rewritten.reference,
      insecure: endpoint.insecure,
      isMirror: endpoint !== registry.endpoint,
      origin: endpoint.origin,
    });
  }
  return { kind: 'sources', registry, sources, leftOut };
}

function reasonAgainst(
  { pullFromMirror }: ConfiguredEndpoint,
  { mirrorByDigestOnly }: ConfiguredRegistry,
  { digest }: Reference,
): string | undefined {
  if (digest === undefined && mirrorByDigestOnly) {
    return 'mirror-by-digest-only: mirrors are not asked for a tag';
  }
  if (digest === undefined && pullFromMirror === 'digest-only') {
    return 'pull-from-mirror is digest-only, and the image is named by tag';
  }
  if (digest !== undefined && pullFromMirror === 'tag-only') {
    return 'pull-from-mirror is tag-only, and the image is named by digest';
  }
  return undefined;
}

/** A name elsewhere, or why there is none. */
export type Rewritten =
  | { readonly kind: 'rewritten'; readonly reference: Reference }
  | { readonly kind: 'failed'; readonly error: string };

/**
 * The location in place of the prefix, as text: `docker.io/library/nginx:1`, `docker.io`,
 * `m.example/hub` → `m.example/hub/library/nginx:1`. The result must be a full name.
 */
export function rewriteReference(
  reference: Reference,
  prefix: string,
  location: string,
): Rewritten {
  const text = formatReference(reference);
  const length = matchLength(text, prefix);
  if (length === -1) {
    return { kind: 'failed', error: `invalid prefix '${prefix}' for reference '${text}'` };
  }
  if (location === '') {
    if (prefix.startsWith('*.')) return { kind: 'rewritten', reference };
    const error = `invalid prefix '${prefix}' for empty location, should be in the format: *.example.com`;
    return { kind: 'failed', error };
  }
  return parseFullName(location + text.slice(length));
}

function parseFullName(text: string): Rewritten {
  const fail = (reason: string): Rewritten => ({
    kind: 'failed',
    error: `rewriting reference: ${reason}`,
  });
  try {
    const reference = parsePodmanReference(text);
    const isFull = formatReference(reference) === text;
    return isFull ? { kind: 'rewritten', reference } : fail('repository name must be canonical');
  } catch (error) {
    if (!(error instanceof ReferenceInvalid)) throw error;
    return fail(error.data.reason);
  }
}
