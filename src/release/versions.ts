import type { SemVer } from 'semver';
import parseSemver from 'semver/functions/parse.js';

/**
 * Versions as Kubernetes, etcd and vendors write them. Never compare them as text, and never by
 * semver alone: `3.5.12-0` and `1.12.2-of.1` are pre-releases there, though they come after (R0-77).
 */

/** `v1.28.8-of.1` → core 1.28.8, revision 1. */
interface Version {
  readonly core: SemVer;
  readonly revision: number;
}

/** Suffixes that count rebuilds of one upstream version: `-0` (etcd), `-of.1`, `+k3s1`, `-k3s4`. */
const rebuild = /^(v?\d+\.\d+\.\d+)[-+][0-9a-z.]*?(\d+)$/;
const preRelease = /^v?\d+\.\d+\.\d+-(?:alpha|beta|rc|pre|dev)/;

function parse(text: string): Version | undefined {
  const built = preRelease.test(text) ? null : rebuild.exec(text);
  const core = parseSemver(built?.[1] ?? text);
  if (core === null) return undefined;
  return { core, revision: built === null ? -1 : Number(built[2]) };
}

/** True for text that is a full version, with or without `v` and with or without a suffix. */
export function isVersion(text: string): boolean {
  return parse(text) !== undefined;
}

/**
 * Orders two versions: negative if `a` is older. `v1.28.8` < `v1.28.8-of.1` < `v1.28.9`;
 * `3.5.9-0` < `3.5.12-0`; `v1.34.0-rc.1` < `v1.34.0`. Text that is no version comes first.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined || right === undefined) {
    return Number(left !== undefined) - Number(right !== undefined);
  }
  return left.core.compare(right.core) || left.revision - right.revision;
}

/** How a publisher writes a version as a tag; there is no general rule (R0-76). */
export type TagForm = 'with-v' | 'without-v' | 'as-written';

/** The tag of one version in one form: `tagOf('v1.28.8', 'without-v')` → `1.28.8`. */
export function tagOf(version: string, form: TagForm): string {
  if (form === 'as-written') return version;
  const bare = version.replace(/^v/, '');
  return form === 'with-v' ? `v${bare}` : bare;
}
