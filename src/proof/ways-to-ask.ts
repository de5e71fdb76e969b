import { isDeepStrictEqual } from 'node:util';
import type { NodeRules, PullChain } from '../mirrors/pull-chain.ts';
import { formatReference, pullReference, type Reference } from '../oci/reference.ts';
import type { RequiredImage } from './required-images.ts';

/** One way in which pods ask for an image, and what the node does then. */
export interface WayToAsk {
  readonly image: RequiredImage;
  readonly chain: PullChain;
  /** `by digest` where the image is named by its tag; absent for the name itself. */
  readonly how?: 'by digest';
}

/**
 * The ways in which pods may ask for the images of one repository: by the name of each, and by the
 * digest behind its tag where the node asks others then, as CRI-O and podman do with mirrors that are
 * for digests or for tags only. Reads the rules of the repository at most twice.
 */
export class RepositoryWays {
  readonly #rules: NodeRules;
  readonly #chains = new Map<boolean, Promise<PullChain>>();

  constructor(rules: NodeRules) {
    this.#rules = rules;
  }

  async of(image: RequiredImage): Promise<readonly WayToAsk[]> {
    const { reference, locked } = image;
    const chain = await this.#chainFor(reference);
    if (reference.digest !== undefined) return [{ image, chain }];
    const { domain, path } = reference;
    const byDigest: Reference = { domain, path, digest: locked.target.digest };
    const other = await this.#chainFor(byDigest);
    if (isSameWay(chain, other)) return [{ image, chain }];
    return [
      { image, chain },
      { image: { ...image, reference: byDigest }, chain: other, how: 'by digest' },
    ];
  }

  #chainFor(reference: Reference): Promise<PullChain> {
    const isDigest = reference.digest !== undefined;
    const chain =
      this.#chains.get(isDigest) ??
      this.#rules.pullChain(formatReference(pullReference(reference)));
    this.#chains.set(isDigest, chain);
    return chain;
  }
}

function isSameWay(one: PullChain, other: PullChain): boolean {
  return isDeepStrictEqual(endpointsOf(one), endpointsOf(other));
}

function endpointsOf(chain: PullChain): unknown {
  if (chain.kind === 'refused') return chain.error;
  return chain.endpoints.map(({ base, repository, httpsFirst }) => [base, repository, httpsFirst]);
}
