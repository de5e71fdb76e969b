/** What a pull does, in the shape in which containerd's and ours are compared. */

/** One request, also one that no connection came about for. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization?: string;
  /** The values of X-Mark, the header that the cases put into host tables. */
  readonly marks?: readonly string[];
  readonly skipVerify?: true;
  /** Authorities of the test that are believed besides the system's. */
  readonly authorities?: readonly string[];
  /** How many client certificates it can show. */
  readonly clients?: number;
  /** The status, or why there was none: `refused`, `cut`, `plain`, `certificate`. */
  readonly answer: string;
}

/** One operation with its requests in order. */
export interface PullStep {
  readonly what: 'resolve' | 'manifest' | 'config' | 'layer' | 'push';
  readonly requests: readonly SentRequest[];
  readonly error?: string;
}

/** All of one pull; `refused` when the configuration lets nobody be asked. */
export interface PullAnswer {
  readonly refused?: string;
  readonly endpoints?: ReadonlyArray<{
    readonly base: string;
    readonly capabilities: readonly string[];
  }>;
  readonly steps?: readonly PullStep[];
}
