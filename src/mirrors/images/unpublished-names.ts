/** I002: names that nodes ask the Site's registry for, and that it does not publish. */

import { formatCount } from '../../shared/quantities.ts';
import type { RegistryName } from '../../site/registry-names.ts';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { formatOrigin, type Noticed } from '../finding.ts';
import type { AskedName } from './asked-names.ts';
import { hostKey } from './host-key.ts';
import { pathAdvice } from './path-advice.ts';

/**
 * A mirror keeps `library/openssl`, and the Site publishes `openssl` → one finding for each line that leads
 * there. An image that one of the Site's registries has under the name that is asked for is in order;
 * those of which Lock and Site say nothing are left out.
 */
export function unpublishedNames(
  asked: readonly AskedName[],
  siteHosts: ReadonlySet<string>,
  runtime: RuntimeName,
): readonly Noticed[] {
  const ofSite = asked.filter(({ image, host }) => {
    // What is named after the Site's own registry was there before Slipway published anything.
    const isAtHome = siteHosts.has(hostKey('https', image.reference.domain));
    return image.published !== undefined && siteHosts.has(host) && !isAtHome;
  });
  const missing = [...Map.groupBy(ofSite, ({ image }) => image.name).values()]
    .filter((names) => !names.some(isPublished))
    .flatMap((names) => names.slice(0, 1));
  const byOrigin = Map.groupBy(missing, ({ endpoint }) => formatOrigin(endpoint.origin));
  return [...byOrigin.values()].flatMap((names) => noticeAt(names, runtime));
}

function isPublished(name: AskedName): boolean {
  return namesAtHost(name).some(({ repository }) => repository === name.repository);
}

function namesAtHost({ image, host }: AskedName): readonly RegistryName[] {
  return (image.published ?? []).filter((name) => hostKey(name.scheme, name.host) === host);
}

function noticeAt(names: readonly AskedName[], runtime: RuntimeName): readonly Noticed[] {
  const [first] = names;
  if (first === undefined) return [];
  const { image, endpoint, host, repository } = first;
  const others =
    names.length === 1 ? '' : `; ${formatCount(names.length - 1, 'more image')} likewise`;
  const there = namesAtHost(first).map((name) => name.repository);
  const published = there.length === 0 ? 'under no name' : `as ${there.join(' and ')}`;
  return [
    {
      rule: 'I002',
      origin: endpoint.origin,
      message: `${image.name} is asked for as ${repository} at ${host}, where the Site publishes it ${published}${others}`,
      fix: fixFor(names, runtime),
    },
  ];
}

function fixFor(names: readonly AskedName[], runtime: RuntimeName): string {
  const [first] = names;
  const prefix = commonPrefix(names);
  if (first !== undefined && prefix !== undefined) {
    return `Ask below ${prefix}: ${pathAdvice(runtime, first.endpoint, prefix)}; "slipway mirrors write" makes such rules.`;
  }
  const layouts = names.flatMap((name) => namesAtHost(name).flatMap((one) => one.layouts));
  return layouts.some((layout) => layout !== 'flat')
    ? 'Let "slipway mirrors write" make the rules for this Site and Lock.'
    : 'Publish it under its path too: write publish: [keep-path, flat] into the Site, load again, and let "slipway mirrors write" make the rules.';
}

/** What would have to stand before every one of the names: `platform`; undefined where nothing helps all. */
function commonPrefix(names: readonly AskedName[]): string | undefined {
  const prefixes = names.map(prefixesOf);
  const [first = []] = prefixes;
  return first.find((prefix) => prefixes.every((one) => one.includes(prefix)));
}

function prefixesOf(name: AskedName): readonly string[] {
  const end = `/${name.image.reference.path}`;
  return namesAtHost(name)
    .filter(({ repository }) => repository.endsWith(end))
    .map(({ repository }) => repository.slice(0, -end.length));
}
