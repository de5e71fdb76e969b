/** Who shares a repository of a Site's registries: names for two images, mixed upstreams, twins. */
import type { Digest } from '../oci/digest.ts';
import { formatReference } from '../oci/reference.ts';
import { compareText } from '../shared/json.ts';
import { parseAddress } from './addresses.ts';
import { type NamingRegistry, type PublishableImage, publishedNames } from './published-names.ts';

/** A name that would stand for several images: `harbor.example/platform/x/y:1`. */
export interface NameCollision {
  readonly name: string;
  readonly images: readonly { readonly image: string; readonly digest: Digest }[];
}

/** Upstream repositories that get one repository, each with the tags that come from it. */
export interface SharedRepository {
  /** `harbor.example/platform/x/y`. */
  readonly repository: string;
  readonly upstreams: readonly { readonly repository: string; readonly tags: readonly string[] }[];
}

/** Upstreams in one repository of which one would be given the images of another. */
export interface UpstreamMixture extends SharedRepository {
  /** `docker.io/x/y:2`: what a node may ask for. */
  readonly asked: string;
  /** `quay.io/x/y:2`: what it would get. */
  readonly got: string;
}

/** Everything that several upstream repositories have in common in these registries, by name. */
export interface RepositorySurvey {
  readonly collisions: readonly NameCollision[];
  readonly mixtures: readonly UpstreamMixture[];
  /** Without harm: the same images, or names that only templates ask for. */
  readonly shared: readonly SharedRepository[];
}

/** One image in one repository. */
interface Holding {
  readonly image: PublishableImage;
  /** `quay.io/x/y`. */
  readonly upstream: string;
  /** A layout that a mirror rule can express gave the name, so nodes ask for it as `upstream`. */
  readonly isRedirected: boolean;
}

/**
 * Looks at every repository that gets images of more than one upstream repository.
 *
 * A mirror rule keeps the path and sends every tag of an upstream there, so each upstream that is
 * redirected to a repository has to be able to have all of its tags. A template makes whole names,
 * so under `flat` alone only equal tags collide. Charts and images cannot be taken for each other,
 * so only equal tags collide between them. Digests never collide.
 */
export function surveyRepositories(
  images: readonly PublishableImage[],
  registries: readonly NamingRegistry[],
): RepositorySurvey {
  const surveys = [...holdingsByRepository(images, registries)]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([repository, holdings]) => surveyRepository(repository, holdings));
  return {
    collisions: surveys.flatMap(({ collisions }) => collisions),
    mixtures: surveys.flatMap(({ mixtures }) => mixtures),
    shared: surveys.flatMap(({ shared }) => shared),
  };
}

function surveyRepository(repository: string, holdings: readonly Holding[]): RepositorySurvey {
  const collisions = collisionsIn(repository, holdings);
  if (collisions.length > 0) return { collisions, mixtures: [], shared: [] };
  const groups = (['image', 'chart'] as const).flatMap((kind) => {
    const ofKind = holdings.filter(({ image }) => image.kind === kind);
    const group = sharedBy(repository, ofKind);
    return group === undefined ? [] : [{ ...group, mixture: mixtureOf(ofKind) }];
  });
  return {
    collisions,
    mixtures: groups.flatMap(({ mixture, ...group }) =>
      mixture ? [{ ...group, ...mixture }] : [],
    ),
    shared: groups.flatMap(({ mixture, ...group }) => (mixture ? [] : [group])),
  };
}

function holdingsByRepository(
  images: readonly PublishableImage[],
  registries: readonly NamingRegistry[],
): ReadonlyMap<string, readonly Holding[]> {
  const found = new Map<string, Holding[]>();
  for (const registry of registries) {
    const host = parseAddress(registry.address)?.host ?? registry.address;
    for (const image of images) {
      const upstream = `${image.reference.domain}/${image.reference.path}`;
      for (const { repository, layouts } of publishedNames(image, registry).names) {
        const isRedirected = layouts.some((layout) => layout !== 'flat');
        const name = `${host}/${repository}`;
        const others = found.get(name);
        if (others === undefined) found.set(name, [{ image, upstream, isRedirected }]);
        else others.push({ image, upstream, isRedirected });
      }
    }
  }
  return found;
}

/** All tags that stand for more than one digest, by name. */
function collisionsIn(repository: string, holdings: readonly Holding[]): NameCollision[] {
  const byTag = Map.groupBy(holdings, ({ image }) => image.reference.tag);
  byTag.delete(undefined);
  return [...byTag]
    .filter(([, holders]) => new Set(holders.map(({ image }) => image.target)).size > 1)
    .map(([tag, holders]) => ({
      name: `${repository}:${tag}`,
      images: holders.map(({ image: { reference, target } }) => ({
        image: formatReference(reference),
        digest: target,
      })),
    }))
    .toSorted((a, b) => compareText(a.name, b.name));
}

function sharedBy(repository: string, holdings: readonly Holding[]): SharedRepository | undefined {
  const groups = Map.groupBy(holdings, ({ upstream }) => upstream);
  if (groups.size < 2) return undefined;
  const upstreams = [...groups].map(([name, members]) => ({
    repository: name,
    tags: [...tagsOf(members)].sort(compareText),
  }));
  return {
    repository,
    upstreams: upstreams.toSorted((a, b) => compareText(a.repository, b.repository)),
  };
}

/** The first tag that a redirected upstream would be given from another one; no tag has two digests here. */
function mixtureOf(
  holdings: readonly Holding[],
): Pick<UpstreamMixture, 'asked' | 'got'> | undefined {
  const askers = Map.groupBy(
    holdings.filter(({ isRedirected }) => isRedirected),
    ({ upstream }) => upstream,
  );
  for (const asker of [...askers.keys()].sort(compareText)) {
    const own = tagsOf(holdings.filter(({ upstream }) => upstream === asker));
    const strange = holdings.find(
      ({ image: { reference }, upstream }) =>
        upstream !== asker && reference.tag !== undefined && !own.has(reference.tag),
    );
    if (strange === undefined) continue;
    const { tag } = strange.image.reference;
    return { asked: `${asker}:${tag}`, got: `${strange.upstream}:${tag}` };
  }
  return undefined;
}

function tagsOf(holdings: readonly Holding[]): ReadonlySet<string> {
  return new Set(holdings.flatMap(({ image }) => image.reference.tag ?? []));
}
