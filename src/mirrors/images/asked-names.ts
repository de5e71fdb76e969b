import { repositoryName } from '../../oci/reference.ts';
import type { NodeRules, PullEndpoint } from '../pull-chain.ts';
import type { OpenChain } from '../pull-walk.ts';
import { nothingThere, simulate } from '../simulate.ts';
import { hostKey } from './host-key.ts';
import type { KnownImage } from './known-images.ts';

/** A name under which a node asks a mirror for an image. */
export interface AskedName {
  readonly image: KnownImage;
  readonly endpoint: PullEndpoint;
  /** The mirror as {@link hostKey} has it. */
  readonly host: string;
  /** What it is asked for, behind `/v2/`: `platform/library/openssl`. */
  readonly repository: string;
  /** `https://harbor.example/v2/platform/library/openssl/manifests/1`, without `?ns=`. */
  readonly url: string;
}

/**
 * What the node asks its mirrors for if none of them has an image, for each image; requests to the registry
 * that an image is named after are left out, as are images of which the configuration fails every pull.
 * Reads one chain for each repository, sends nothing.
 */
export async function askedNames(
  node: NodeRules,
  images: readonly KnownImage[],
): Promise<readonly AskedName[]> {
  const asked: AskedName[] = [];
  for (const group of Map.groupBy(images, waysOf).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const chain = await node.pullChain(first.name);
    if (chain.kind === 'refused') continue;
    asked.push(...group.flatMap((image) => askedFor(image, chain)));
  }
  return asked;
}

/** Some runtimes ask other mirrors for a digest than for a tag. */
function waysOf({ reference }: KnownImage): string {
  return `${repositoryName(reference)}${reference.digest === undefined ? '' : '@'}`;
}

function askedFor(image: KnownImage, chain: OpenChain): readonly AskedName[] {
  const { steps } = simulate(chain.requests.resolve(image.reference), nothingThere);
  const byEndpoint = new Map<PullEndpoint, AskedName>();
  for (const { request } of steps) {
    const { endpoint } = request;
    const [url = ''] = request.url.split('?');
    const [, repository] = /^[^/]*\/\/[^/]*\/v2\/(.+)\/manifests\/[^/]*$/.exec(url) ?? [];
    if (repository === undefined || byEndpoint.has(endpoint)) continue;
    const host = hostKey(endpoint.scheme, endpoint.host);
    if (endpoint.role === 'upstream' || isItsOwnName(image, host, repository)) continue;
    byEndpoint.set(endpoint, { image, endpoint, host, repository, url });
  }
  return [...byEndpoint.values()];
}

/** Rules may name the registry itself, with or without its usual port. */
function isItsOwnName({ reference }: KnownImage, host: string, repository: string): boolean {
  const { domain, path } = reference;
  return path === repository && [hostKey('https', domain), hostKey('http', domain)].includes(host);
}
