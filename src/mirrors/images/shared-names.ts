/** I001: different images that have one name at a mirror. */

import { repositoryName } from '../../oci/reference.ts';
import { formatCount } from '../../shared/quantities.ts';
import type { RuntimeName } from '../../site/runtime-id.ts';
import { formatOrigin, type Noticed } from '../finding.ts';
import type { AskedName } from './asked-names.ts';
import { pathAdvice } from './path-advice.ts';

/**
 * `docker.io/library/nginx:1` and `quay.io/library/nginx:1` at one mirror → one finding at each line that
 * leads there. Equal digests in the Lock are no difference; names by digest cannot be mistaken.
 */
export function sharedNames(asked: readonly AskedName[], runtime: RuntimeName): readonly Noticed[] {
  const tagged = asked.filter(
    ({ image, host }) => image.reference.tag !== undefined && !isEmbedded(host, runtime),
  );
  const byName = Map.groupBy(tagged, nameAt);
  const clashes = [...byName.values()].filter(isClash);
  const byOrigin = new Map<string, Clash[]>();
  for (const clash of clashes) {
    for (const origin of new Set(clash.map(({ endpoint }) => formatOrigin(endpoint.origin)))) {
      byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), clash]);
    }
  }
  return Array.from(byOrigin, ([origin, found]) => noticeAt(origin, found, runtime));
}

type Clash = readonly AskedName[];

function nameAt({ host, repository, image }: AskedName): string {
  return `${host}/${repository}:${image.reference.tag}`;
}

function isClash(names: Clash): boolean {
  if (new Set(names.map(({ image }) => repositoryName(image.reference))).size < 2) return false;
  const digests = new Set(names.map(({ image }) => image.digest));
  return digests.size > 1 || digests.has(undefined);
}

function noticeAt(place: string, clashes: readonly Clash[], runtime: RuntimeName): Noticed {
  const [first = []] = clashes;
  const here = first.find(({ endpoint }) => formatOrigin(endpoint.origin) === place) ?? first[0];
  if (here === undefined) throw new TypeError('a clash has names');
  const { endpoint, image } = here;
  const { domain } = image.reference;
  return {
    rule: 'I001',
    origin: endpoint.origin,
    message: messageFor(first, clashes.length - 1),
    fix: `Give each registry a path of its own, here ${pathAdvice(runtime, endpoint, pathFor(domain))}, and publish images there: publish: [keep-host] in the Site.`,
    ...(isOwnMachine(endpoint.host) && { level: 'warn' as const }),
  };
}

function messageFor(clash: Clash, more: number): string {
  const names = [...new Set(clash.map(({ image }) => image.name))];
  const [{ url = '' } = {}] = clash;
  const known = clash.every(({ image }) => image.digest !== undefined);
  const what = known ? 'the Lock has different images for them' : 'one may be given the other';
  const others = more === 0 ? '' : `; ${formatCount(more, 'more name')} likewise`;
  return `${names.join(' and ')} are asked for as ${url}${nsNote(clash)}: ${what}${others}`;
}

/** Slipway's own registry is one of those that do not look at it. */
function nsNote(clash: Clash): string {
  const isTold = clash.every(({ endpoint }) => endpoint.ns !== undefined);
  return isTold ? ' (only ?ns= differs, which few mirrors read)' : '';
}

/** What keep-host makes of a registry's name. */
function pathFor(domain: string): string {
  return domain.replace(':', '_');
}

/** The registry that k3s and RKE2 bring along tells registries apart by `?ns=`, as Spegel, which it is. */
function isEmbedded(host: string, runtime: RuntimeName): boolean {
  const ports: Readonly<Partial<Record<RuntimeName, string>>> = { k3s: '6443', rke2: '9345' };
  return host === `127.0.0.1:${ports[runtime]}`;
}

/** On the node itself an agent may answer, such as Spegel or Dragonfly, and these read `?ns=`. */
function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(host);
}
