/** The images that nodes shall pull, as far as one knows: from a Lock, from lists and manifests. */

import type { Digest } from '../../oci/digest.ts';
import { formatReference, pullReference, type Reference } from '../../oci/reference.ts';
import type { Lock } from '../../release/lock.ts';
import { publishableImage } from '../../release/publishable-artefacts.ts';
import { readReference } from '../../release/references.ts';
import { hostsForNodes, parseAddress } from '../../site/addresses.ts';
import { type RegistryName, registryNames } from '../../site/registry-names.ts';
import type { Site } from '../../site/site.ts';
import { hostKey } from './host-key.ts';

/** One image that nodes shall pull. */
export interface KnownImage {
  /** As runtimes pull it: with `latest`, without a tag beside a digest. */
  readonly reference: Reference;
  /** The same as text. */
  readonly name: string;
  /** Who knows it: `the Lock`, `images.txt`. */
  readonly from: string;
  /** False where it stands there in another spelling than {@link KnownImage.name}. */
  readonly isWrittenSo: boolean;
  /** What the name points to, where a Lock says it. */
  readonly digest?: Digest;
  /** Its names in the registries of the Site; only where Lock and Site are known. */
  readonly published?: readonly RegistryName[];
}

/** Everything that is known; nothing at all without a Lock and without lists. */
export interface KnownImages {
  readonly images: readonly KnownImage[];
  /** The hosts of the Site's registries as {@link hostKey} has them. */
  readonly siteHosts: ReadonlySet<string>;
  /** `host/project` of the Site's registries, for names that are rendered with it. */
  readonly projects: readonly string[];
}

/** Without a Lock and without lists. */
export const NOTHING_KNOWN: KnownImages = { images: [], siteHosts: new Set(), projects: [] };

/** What a Lock and a Site say; of a Site alone nothing follows. */
export function imagesOfLock(lock: Lock, site: Site | undefined): KnownImages {
  const registries = Object.values(site?.spec.registries ?? {});
  const images = lock.spec.images.map((locked): KnownImage => {
    const named = publishableImage(locked);
    const published = registryNames(registries, named, hostsForNodes);
    const known = {
      ...pulled(named.reference),
      from: 'the Lock',
      isWrittenSo: true,
      digest: named.target,
    };
    return site === undefined ? known : { ...known, published };
  });
  const seen = registries.flatMap((registry) => {
    const project = parseAddress(registry.address)?.project ?? '';
    return hostsForNodes(registry).map((host) => ({ host, project, registry }));
  });
  return {
    images,
    siteHosts: new Set(
      seen.map(({ host, registry: { plainHttp } }) => hostKey(plainHttp ? 'http' : 'https', host)),
    ),
    projects: [
      ...new Set(seen.map(({ host, project }) => (project === '' ? host : `${host}/${project}`))),
    ],
  };
}

/** Adds what a list or a manifest names; a name that is known already stays as it is. */
export function withNames(known: KnownImages, names: readonly string[], from: string): KnownImages {
  const all = new Map(known.images.map((image) => [image.name, image]));
  for (const text of names) {
    const reference = readReference(text);
    if ('reason' in reference) continue;
    const { name, ...image } = pulled(reference);
    const isWrittenSo = name === text;
    const before = all.get(name);
    if (before === undefined || (isWrittenSo && !before.isWrittenSo)) {
      all.set(name, { ...image, name, from, isWrittenSo });
    }
  }
  return { ...known, images: [...all.values()] };
}

/** The registries that the images are named after: `docker.io`, `reg.example:5000`. */
export function registriesOf({ images }: KnownImages): readonly string[] {
  const domains = images.map(({ reference }) => reference.domain);
  return [...new Set(domains)].filter((domain) => domain !== '').sort();
}

function pulled(reference: Reference): Pick<KnownImage, 'reference' | 'name'> {
  const asPulled = pullReference(reference);
  return { reference: asPulled, name: formatReference(asPulled) };
}
