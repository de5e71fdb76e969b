/**
 * Where a node shall pull from, said without any runtime's syntax: the one model that the writers
 * of all runtimes compile. From a Site and a Lock: write/rules-for.ts.
 */

import type { Secret } from '../shared/secret.ts';

/** What {@link MirrorRule.registry} is for every registry without a rule of its own. */
export const EVERY_OTHER = '*';

/** A registry that has surely no rule or folder of its own: asking for it shows what holds for every other. RFC 2606 keeps the name free. */
export const UNLISTED = 'registry.not-listed.invalid';

/** One place where images are found. */
export interface MirrorTarget {
  readonly scheme: 'https' | 'http';
  /** host[:port] as the node sees it. */
  readonly host: string;
  /**
   * What stands there in place of {@link MirrorRule.path}, before the rest of the repository:
   * `platform/registry.k8s.io`; empty for nothing.
   */
  readonly prefix: string;
  /** Authorities to trust in addition to the node's own: PEM, and a name for the file. */
  readonly ca?: { readonly name: string; readonly pem: string };
  /** Certificates are not checked; only ever set on an explicit option (R0-87). */
  readonly skipVerify?: true;
  /** How nodes log in there; goes only into files that no other user may read. */
  readonly login?: { readonly username: string; readonly password: Secret };
}

/**
 * `{ registry: 'registry.k8s.io', targets: [harbor], fallback: false }`: images of
 * registry.k8s.io come from harbor and from nowhere else.
 */
export interface MirrorRule {
  /** `docker.io`, `reg.example:5000`, or {@link EVERY_OTHER}. */
  readonly registry: string;
  /**
   * The rule holds for repositories below this path only: `cluster-api` for `cluster-api/*`; absent for
   * the whole registry, which is all that most runtimes can tell apart.
   */
  readonly path?: string;
  /** Asked in this order; at least one. */
  readonly targets: readonly MirrorTarget[];
  /** True when the registry itself may be asked after all targets. */
  readonly fallback: boolean;
  /**
   * Keeps names that nobody needs inside the site. Where the runtime cannot say it, it is left out with a
   * warning; any other rule is refused then.
   */
  readonly isGuard?: true;
}

/** `{ registry: 'quay.io', path: 'team' }` → `quay.io/team`. */
export function scopeName({ registry, path }: Pick<MirrorRule, 'registry' | 'path'>): string {
  return path === undefined ? registry : `${registry}/${path}`;
}

/** Where a target is asked, prefix and all: `https://harbor.example`, `https://harbor.example/v2/platform`. */
export function targetUrl({ scheme, host, prefix }: MirrorTarget): string {
  return prefix === '' ? `${scheme}://${host}` : `${scheme}://${host}/v2/${prefix}`;
}

/** What to do where a runtime has rules for whole registries only. */
export const WHOLE_REGISTRY_ADVICE =
  'Publish the images of that path where the rule of the registry leads, or use the names of the mirror itself.';

/** The same for people: `every other registry` instead of its sign. */
export function subjectOf(rule: Pick<MirrorRule, 'registry' | 'path'>): string {
  return rule.registry === EVERY_OTHER ? 'every other registry' : scopeName(rule);
}
