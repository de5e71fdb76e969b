/** T003: the registry itself is asked after its mirrors, or instead of them. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import type { Noticed } from '../../finding.ts';
import { isInsideSite } from '../../inside-site.ts';
import { EVERY_OTHER } from '../../mirror-rule.ts';
import { rightName } from '../../names/registry-key.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import { ownEndpoints } from '../convert/own-endpoints.ts';
import type { Mirror, Registries } from '../read/registries.ts';

/** Asked of a mirror for all registries: RFC 2606 keeps this name free. */
const UNLISTED = 'registry.not-listed.invalid';

/** What a mirror is judged by. */
interface Surroundings {
  readonly registries: Registries;
  readonly site: LintedSite;
  readonly behaviour: Pick<TalosBehaviour, 'has'>;
}

/** At most one; none for a key that is never looked up (T006). */
export function fallbackFindings(mirror: Mirror, around: Surroundings): readonly Noticed[] {
  const { name, endpoints, origin } = mirror;
  const { registries, site } = around;
  if (rightName(name) !== undefined) return [];
  const registry = name === EVERY_OTHER ? UNLISTED : name;
  const upstream = `https://${upstreamHost(registry)}`;
  const asked = ownEndpoints(registry, registries).filter(({ url }) => url === upstream);
  const leaves = !isInsideSite(site, upstreamHost(registry));
  const named = endpoints.find(({ url }) => url === upstream);
  if (named !== undefined && leaves) return [namedOutside(mirror, named.origin)];
  if (endpoints.length > 0 && (asked.length === 0 || named !== undefined)) return [];
  // With mirrors before it, an upstream that may be asked is how most nodes are meant to be.
  const usual = endpoints.length > 0 ? ({ level: 'info' } as const) : {};
  const level = leaves ? ({ level: 'error' } as const) : usual;
  return [{ rule: 'T003', registry: name, origin, ...wordsFor(mirror, around), ...level }];
}

/** Also with skipFallback: it takes away only what is asked unnamed. */
function namedOutside({ name }: Mirror, origin: Noticed['origin']): Noticed {
  const message = `the registry itself, ${upstreamHost(name)}, is an endpoint: that is outside of an offline site`;
  return { rule: 'T003', registry: name, level: 'error', origin, message, fix: 'Remove it.' };
}

function wordsFor(
  { name, endpoints, skipFallback }: Mirror,
  { behaviour }: Surroundings,
): Pick<Noticed, 'message' | 'fix'> {
  const whose = name === EVERY_OTHER ? 'each registry itself' : upstreamHost(name);
  if (endpoints.length === 0) {
    const inSpite = skipFallback ? ' in spite of skipFallback' : '';
    const message = `no endpoint is named, so ${whose} is asked${inSpite}`;
    return { message, fix: 'Name a mirror under endpoints, or remove the entry.' };
  }
  const message = `${whose} is asked after the mirrors`;
  const fix = behaviour.has('skip-fallback')
    ? 'Write skipFallback: true (Talos 1.9 and later), or name the registry as the last endpoint.'
    : 'Use Talos 1.9 or later, which knows skipFallback, or name the registry as the last endpoint.';
  return { message, fix };
}
