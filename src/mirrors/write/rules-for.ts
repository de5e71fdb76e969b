import { parseReference, type Reference } from '../../oci/reference.ts';
import type { Lock } from '../../release/lock.ts';
import { publishableArtefacts } from '../../release/publishable-artefacts.ts';
import { compareText } from '../../shared/json.ts';
import { addressSeenFrom, hostsForNodes, parseAddress } from '../../site/addresses.ts';
import { checkPublication } from '../../site/publication.ts';
import { publishedNames } from '../../site/published-names.ts';
import { defaultPublish, type Layout, type Site, type SiteRegistry } from '../../site/site.ts';
import { MirrorLayoutNotExpressible, MirrorSkipVerifyNotAllowed } from '../errors.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../mirror-rule.ts';

/** What documents do not hold themselves. */
export interface RuleOptions {
  /** The authorities of each registry of the Site as PEM, by its name there. */
  readonly authorities: ReadonlyMap<string, string>;
  /**
   * True when the user said in so many words that certificates need not be checked (R0-87). It holds
   * only for the registries whose Site entry says `insecureSkipVerify` too.
   */
  readonly skipVerify: boolean;
}

interface NamedRegistry {
  readonly name: string;
  readonly registry: SiteRegistry;
}

type LockedName = Pick<Lock['spec']['images'][number], 'name' | 'class' | 'flatName'>;

/**
 * The rules that nodes of a Site need for the images of a Lock.
 *
 * One rule for every registry that a locked image is named after (R0-56), one for the Site's own
 * registries under each address that nodes use, and, offline, one for every other registry, so that no
 * name leaves the Site (R0-52); nothing is found under it. Rules come sorted by registry. Targets are the Site's registries in
 * its order. Throws MIRROR_LAYOUT_NOT_EXPRESSIBLE, MIRROR_SKIP_VERIFY_NOT_ALLOWED, and
 * PUBLISH_COLLISION where a rule would lead to the images of another upstream (R0-53).
 */
export function rulesFor(site: Site, lock: Lock, options: RuleOptions): readonly MirrorRule[] {
  const registries = Object.entries(site.spec.registries).map(([name, registry]) => ({
    name,
    registry,
  }));
  checkPublication(publishableArtefacts(lock), site.spec.registries);
  const { mode, sources } = site.spec;
  // "single" means that nothing comes from anywhere else, online too (R0-88).
  const fallback = mode === 'online' && sources === 'per-class';
  const rules = new Map<string, MirrorRule>();
  for (const [upstream, images] of imagesByRegistry(lock)) {
    const targets = registries.map((named) =>
      targetOf(named, prefixFor(upstream, images, named), options),
    );
    rules.set(upstream, { registry: upstream, targets, fallback });
  }
  for (const named of registries) {
    for (const host of hostsForNodes(named.registry)) {
      rules.set(host, {
        registry: host,
        targets: [targetOf(named, '', options)],
        fallback: false,
      });
    }
  }
  if (mode === 'offline') {
    const targets = registries.map((named) => targetOf(named, nowhereIn(named.registry), options));
    rules.set(EVERY_OTHER, { registry: EVERY_OTHER, targets, fallback, isGuard: true });
  }
  return [...rules.values()].sort((a, b) => compareText(a.registry, b.registry));
}

function imagesByRegistry(lock: Lock): ReadonlyMap<string, readonly LockedName[]> {
  const groups = Map.groupBy(lock.spec.images, ({ name }) => parseReference(name).domain);
  groups.delete('');
  return groups;
}

/**
 * Where nothing is published: a name that is not in the Lock ends as a 404 there. Behind the project
 * itself it would be given the image of whatever upstream has the same path (R0-53).
 */
function nowhereIn(registry: SiteRegistry): string {
  const project = parseAddress(registry.address)?.project ?? '';
  return project === '' ? 'not-in-the-lock' : `${project}/not-in-the-lock`;
}

function targetOf(
  { name, registry }: NamedRegistry,
  prefix: string,
  options: RuleOptions,
): MirrorTarget {
  const { scheme, host } = addressSeenFrom(registry, 'nodes');
  const target = { scheme, host, prefix };
  if (scheme === 'http') return target;
  const pem = options.authorities.get(name);
  if (pem !== undefined) return { ...target, ca: { name, pem } };
  if (registry.trust?.insecureSkipVerify !== true) return target;
  if (!options.skipVerify) throw new MirrorSkipVerifyNotAllowed({ registry: name });
  return { ...target, skipVerify: true };
}

/** What to put before the repositories of one upstream: the first layout of the list that allows it. */
function prefixFor(upstream: string, images: readonly LockedName[], named: NamedRegistry): string {
  const reasons: string[] = [];
  for (const layout of named.registry.publish ?? defaultPublish) {
    const found = prefixIn(layout, images, named.registry);
    if (found.kind === 'prefix') return found.prefix;
    reasons.push(`${layout}: ${found.reason}`);
  }
  throw new MirrorLayoutNotExpressible({ registry: named.name, upstream, reasons });
}

type Prefix =
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'none'; readonly reason: string };

/** A rule keeps the repository's path, so all images of the upstream must keep it behind one prefix. */
function prefixIn(layout: Layout, images: readonly LockedName[], registry: SiteRegistry): Prefix {
  if (layout === 'flat') {
    return { kind: 'none', reason: 'it drops the path of an image, and a rule keeps it' };
  }
  const prefixes = new Set<string>();
  for (const image of images) {
    const reference = parseReference(image.name);
    const prefix = prefixOf(layout, { ...image, reference }, registry);
    if (prefix === undefined) return { kind: 'none', reason: `${image.name} loses its path` };
    prefixes.add(prefix);
  }
  const [prefix = '', second] = prefixes;
  if (second === undefined) return { kind: 'prefix', prefix };
  const reason = `its images lie below ${[...prefixes].sort(compareText).join(' and ')}, and a rule has one prefix`;
  return { kind: 'none', reason };
}

function prefixOf(
  layout: Layout,
  image: LockedName & { readonly reference: Reference },
  registry: SiteRegistry,
): string | undefined {
  const [name] = publishedNames(image, { ...registry, publish: [layout] }).names;
  if (name?.repository === image.reference.path) return '';
  const end = `/${image.reference.path}`;
  return name?.repository.endsWith(end) ? name.repository.slice(0, -end.length) : undefined;
}
