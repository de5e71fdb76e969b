import type { Digest } from '../oci/digest.ts';
import type { Reference } from '../oci/reference.ts';
import { parseAddress } from './addresses.ts';
import { defaultPublish, type Layout, type SiteRegistry } from './site.ts';

/** What decides the names of an image: its own name, its class, and a name for templates. */
export interface NamedImage {
  readonly reference: Reference;
  readonly class: string;
  readonly flatName?: string | undefined;
}

/** An image or chart that is to be published, with the digest of what its name points to. */
export interface PublishableImage extends NamedImage {
  readonly kind: 'image' | 'chart';
  readonly target: Digest;
}

/** What decides the names in a registry. */
export type NamingRegistry = Pick<SiteRegistry, 'address' | 'publish' | 'projects'>;

/** One name of an image in a registry; `repository` includes the registry's project. */
export interface PublishedName {
  /** All layouts that give this name, in the order of the `publish` list. */
  readonly layouts: readonly Layout[];
  readonly repository: string;
  /** Absent for an image that is asked for by digest only. */
  readonly tag?: string;
  readonly digest?: Digest;
}

/** All names of an image in a registry, and the layouts that give it none, with the reason. */
export interface PublishedNames {
  readonly names: readonly PublishedName[];
  readonly nameless: readonly { readonly layout: Layout; readonly reason: string }[];
}

/** The longest name, host and path together, that the reference implementation accepts. */
const LONGEST_NAME = 255;

/**
 * The names under which a registry publishes an image, one for each layout of its `publish` list.
 *
 * For `registry.k8s.io/cluster-api/controller:v1` behind `harbor.example/platform`:
 * - `keep-path` → `platform/cluster-api/controller` (what a mirror rule asks for)
 * - `flat` → `platform/controller`, or `platform/FLATNAME` (what a template asks for)
 * - `keep-host` → `platform/registry.k8s.io/cluster-api/controller`; a port's ":" becomes "_"
 * - `projects` → with `registry.k8s.io: k8s`: `k8s/cluster-api/controller`. The longest matching
 *   start of the name wins, then the class. Projects stand beside the address's project, not below.
 *
 * Two layouts that give one name give it once. Tag and digest are those that clusters ask for.
 */
export function publishedNames(image: NamedImage, registry: NamingRegistry): PublishedNames {
  const names = new Map<string, PublishedName>();
  const nameless: { layout: Layout; reason: string }[] = [];
  for (const layout of registry.publish ?? defaultPublish) {
    const repository = repositoryFor(layout, image, registry) ?? '';
    const reason = nameFault(repository, image, registry);
    if (reason !== undefined) nameless.push({ layout, reason });
    else {
      const layouts = [...(names.get(repository)?.layouts ?? []), layout];
      names.set(repository, { layouts, repository, ...pulledBy(image.reference) });
    }
  }
  return { names: [...names.values()], nameless };
}

function pulledBy({ tag, digest }: Reference): Pick<PublishedName, 'tag' | 'digest'> {
  return { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) };
}

/** The repository of one layout, or undefined if `projects` does not know the image. */
function repositoryFor(
  layout: Layout,
  image: NamedImage,
  registry: NamingRegistry,
): string | undefined {
  const { domain, path } = image.reference;
  const project = parseAddress(registry.address)?.project ?? '';
  switch (layout) {
    case 'keep-path':
      return join(project, path);
    case 'flat':
      return join(project, image.flatName ?? path.slice(path.lastIndexOf('/') + 1));
    case 'keep-host':
      return join(project, hostComponent(domain), path);
    case 'projects':
      return projectRepository(image, registry.projects ?? {});
  }
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

/**
 * A registry host as one path component: `localhost:5000` → `localhost_5000`, `[::1]:5000` →
 * `0--1_5000`. Host names have no "_", so a host with a port never looks like another host.
 */
function hostComponent(host: string): string {
  const [, address, port] = /^\[(.*)\](?::(\d+))?$/.exec(host) ?? [];
  if (address === undefined) return host.toLowerCase().replace(':', '_');
  const filled = address.replace(/^:/, '0:').replace(/:$/, ':0').replaceAll(':', '-').toLowerCase();
  return port === undefined ? filled : `${filled}_${port}`;
}

function projectRepository(
  { reference, class: className }: NamedImage,
  projects: Readonly<Record<string, string>>,
): string | undefined {
  const name = join(reference.domain, reference.path);
  const starts = Object.keys(projects).toSorted((a, b) => b.length - a.length);
  const start = starts.find((candidate) => name.startsWith(`${candidate}/`));
  if (start !== undefined) return join(projects[start] ?? '', name.slice(start.length + 1));
  if (!Object.hasOwn(projects, className)) return undefined;
  return join(projects[className] ?? '', reference.path);
}

function nameFault(
  repository: string,
  image: NamedImage,
  registry: NamingRegistry,
): string | undefined {
  if (repository === '') {
    return `"projects" has neither the start of its name nor its class "${image.class}"`;
  }
  const length = (parseAddress(registry.address)?.host.length ?? 0) + 1 + repository.length;
  if (length <= LONGEST_NAME) return undefined;
  return `its name would have ${length} characters; at most ${LONGEST_NAME} are allowed`;
}
