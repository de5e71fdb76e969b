/**
 * The requests of a chain, one at a time: each generator yields what the runtime would send next
 * and is told the answer, until it knows how the pull ends. It sends nothing itself, so the same
 * code simulates (explain, vectors) and proves (real answers). The generators of a runtime stand in
 * its own folder; this is what they have in common.
 *
 * ```ts
 * const walk = chain.requests.resolve(chain.reference); // or fetch, push
 * let step = walk.next();
 * while (!step.done) step = walk.next(await send(step.value));
 * step.value; // { kind: 'served', ... } or { kind: 'failed', ... }
 * ```
 */

import type { Digest } from '../oci/digest.ts';
import type { Reference } from '../oci/reference.ts';
import type { PullChain, PullEndpoint } from './pull-chain.ts';
import type { RequestMethod } from './request-url.ts';

/** One request as the runtime sends it: `HEAD https://m.example/v2/pause/manifests/3.9?ns=registry.k8s.io`. */
export interface PullRequest {
  readonly method: RequestMethod;
  readonly url: string;
  readonly endpoint: PullEndpoint;
  /** True when the descriptor of the content names the address: then no login is offered there. */
  readonly isFromDescriptor?: true;
  /** True for a look at `/v2/`: its answer is about the endpoint, and 401 is as good as 200. */
  readonly isPing?: true;
}

/**
 * What came back. Redirects are followed and logins done by whoever sends; a `status` of 3xx is one
 * that could not be followed, 401 one that no credentials helped against.
 */
export type Answer =
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Of the manifest, where one was asked for by name: too large a one leads to the next endpoint. */
      readonly sizeBytes?: number | undefined;
      /**
       * Of a 401 that asks for Basic. `unmet`: the node has no login for it. `repeatable`: it has one
       * that was refused, and whoever sends would send it again.
       */
      readonly challenge?: 'unmet' | 'repeatable';
    }
  /** An HTTPS request was answered in plain HTTP. */
  | { readonly kind: 'plain-http' }
  /** No connection came about: refused, no route, no such name, or the dial timeout. */
  | { readonly kind: 'no-connection'; readonly reason: string; readonly mayPass?: true }
  /** Everything else that is no answer: a bad certificate, a connection that broke. */
  | {
      readonly kind: 'broken';
      readonly reason: string;
      /** A timeout, or an end before the answer began: some versions try again. */
      readonly mayPass?: true;
    };

/** How a walk ends; `error` is in the runtime's own words. */
export type WalkOutcome =
  | { readonly kind: 'served'; readonly by: PullRequest }
  | { readonly kind: 'failed'; readonly error: string };

/** A walk over the requests of one operation; see the top of the file. */
export type PullWalk = Generator<PullRequest, WalkOutcome, Answer>;

/** Content that is fetched by its digest, once the name is resolved. */
export interface FetchedContent {
  readonly digest: Digest;
  readonly kind: 'manifests' | 'blobs';
  /** The addresses that its descriptor itself names for it. */
  readonly urls: readonly string[];
  /** Who served the manifest; some runtimes fetch all the rest from there. Absent while nobody has. */
  readonly from?: PullEndpoint;
}

/** The walks of one chain, one for each thing that a runtime does. */
export interface ChainRequests {
  /** Finds out what a name of the chain's repository is, by tag or by digest. */
  resolve(reference: Reference): PullWalk;
  fetch(content: FetchedContent): PullWalk;
  /** Pushes one blob under the chain's name. */
  push(digest: Digest): PullWalk;
}

/** A chain that has endpoints; of the other kind nothing is ever sent. */
export type OpenChain = Extract<PullChain, { kind: 'endpoints' }>;
