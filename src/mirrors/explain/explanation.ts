/** What a node will do to pull one image, in a form for people and programs (docs/guide/mirrors.md). */

import type { Finding, Origin } from '../finding.ts';
import type { AnswerEffect } from './answer-effects.ts';

/** The answer to "where does this image come from". */
export type ExplainedAnswer =
  /** Nothing is ever sent; `error` is in the runtime's own words. */
  | { readonly kind: 'refused'; readonly error: string; readonly origin: Origin }
  /** `leaves`: hosts outside of the site that are asked; without a Site only the registry itself is. */
  | {
      readonly kind: 'pulls';
      readonly from: string;
      readonly leaves: readonly string[];
      /** True when the Site is online, so that leaving it is allowed. */
      readonly mayLeave: boolean;
    };

/** How the runtime knows to whom it speaks. */
export interface ExplainedTrust {
  /** Files whose authorities count beside those of the node. */
  readonly ca: readonly string[];
  readonly clientCertificates: readonly string[];
  readonly skipVerify: boolean;
  /** `plain` sends without TLS; `https-first` turns to that after an answer in plain HTTP. */
  readonly transport: 'https' | 'plain' | 'https-first';
}

/** The first request to one endpoint for the image's name, if all before it have nothing. */
export interface ExplainedRequest {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly role: 'mirror' | 'server' | 'upstream';
  readonly isInside: boolean;
  readonly origin: Origin;
  readonly trust: ExplainedTrust;
  /** `program`: that is asked first, and what it answers is not known; `file`: the node's own files have it; `pull secret`: only that of the pod is offered; `none`: neither. */
  readonly login:
    | { readonly from: 'file'; readonly username: string; readonly origin: Origin }
    | { readonly from: 'program'; readonly program: string; readonly origin: Origin }
    | { readonly from: 'pull secret' | 'none' };
  /** Names of headers that the configuration adds; their values may be secret. */
  readonly headers: readonly string[];
  /** What the repository is called there, if a rewrite changed it. */
  readonly rewrittenTo?: string;
  readonly effects: readonly AnswerEffect[];
  readonly dialTimeoutMs: number;
  /** Addresses that are asked next for the same name, such as the blobs of a digest. */
  readonly also: readonly string[];
}

/** An endpoint, or a file, that takes no part. */
export interface ExplainedSkip {
  readonly what: string;
  readonly because: string;
  readonly origin?: Origin;
}

/** The name was found: how the rest is fetched. */
export interface ExplainedFetch {
  /** Hosts in the order in which each manifest and blob is asked for. */
  readonly hosts: readonly string[];
  /** True when the whole list is asked again for each, whoever had the name. */
  readonly isWholeList: boolean;
}

/** What endpoints cost at which nobody answers, all but the last of the list. */
export interface DeadEndpoints {
  readonly hosts: readonly string[];
  /** Until the name is found, and for each manifest and blob. */
  readonly nameSeconds: number;
  readonly contentSeconds: number;
}

/** A run with answers that the user assumed. */
export interface AssumedRun {
  readonly steps: ReadonlyArray<{
    readonly method: string;
    readonly url: string;
    readonly answer: string;
  }>;
  readonly outcome: string;
  readonly isServed: boolean;
}

/** Everything about one image on one node. */
export interface Explanation {
  readonly image: string;
  readonly runtime: string;
  readonly registry: string;
  readonly answer: ExplainedAnswer;
  readonly requests: readonly ExplainedRequest[];
  readonly skipped: readonly ExplainedSkip[];
  readonly fetch?: ExplainedFetch;
  readonly dead?: DeadEndpoints;
  /** The runtime's words when nobody has the image. */
  readonly failure?: string;
  readonly assumed?: AssumedRun;
  readonly findings: readonly Finding[];
}
