/** References as podman, CRI-O, skopeo and buildah read them. Source: containers/image v5.38.0. */
import type { Reference } from '../reference.ts';
import { completeReference, type NamingRules } from '../reference-defaults.ts';
import { matchReference, podmanGrammar } from '../reference-grammar.ts';

const podmanRules: NamingRules = {
  grammar: podmanGrammar,
  isRegistry: hasRegistryShape,
  upperCase: () => 'invalid reference format: repository name must be lowercase',
};

function hasRegistryShape(first: string): boolean {
  return first === 'localhost' || /[.:]/.test(first);
}

/**
 * Reads and completes a reference. Unlike Docker: no IPv6 registries, `MyHost/a` is an error, and
 * registry and path together have at most 255 characters.
 * Throws REFERENCE_INVALID. Source: docker/reference, ParseNormalizedNamed.
 */
export function parsePodmanReference(text: string): Reference {
  return completeReference(text, podmanRules);
}

/**
 * Why the `docker://` transport refuses a reference that parses, or undefined if it takes it.
 * Source: docker/docker_transport.go, newReference.
 */
export function podmanTransportProblem(reference: Reference): string | undefined {
  if (reference.tag === undefined || reference.digest === undefined) return undefined;
  return 'Docker references with both a tag and digest are currently not supported';
}

/**
 * True when podman looks a name up in its aliases and search registries: `nginx`, `team/app`.
 * Throws REFERENCE_INVALID for what is neither short nor complete.
 * Source: pkg/shortnames, IsShortName.
 */
export function isShortName(text: string): boolean {
  const { domain } = matchReference(text, podmanGrammar);
  if (!hasRegistryShape(domain)) return true;
  parsePodmanReference(text);
  return false;
}
