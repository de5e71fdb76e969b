/** One node with Docker, and what is said about it: by Docker itself and by us, in one shape. */

/** A question. */
export interface World {
  /** Below /etc/docker, one character for each byte. */
  readonly files: Readonly<Record<string, string>>;
  /** What /etc/hosts says. */
  readonly addresses: Readonly<Record<string, readonly string[]>>;
  readonly registries: readonly string[];
}

/** One endpoint, without those things that are left out because they are false or none. */
export interface ShownEndpoint {
  readonly base: string;
  /** Of the classic store only. */
  readonly role?: string;
  readonly pushes: boolean;
  readonly referrers: boolean;
  readonly skipVerify: boolean;
  readonly ownRoots: boolean;
  readonly clients: number;
  readonly httpsFirst: boolean;
}

/** The endpoints of one registry in order, or why every pull of it fails. */
export interface Lookup {
  readonly error?: string;
  readonly endpoints?: readonly ShownEndpoint[];
}

/** The answer; either the daemon does not start, or there is one item for each registry. */
export interface Answer {
  readonly refused?: string;
  readonly mirrors?: readonly string[];
  readonly pulls?: readonly { readonly classic: Lookup; readonly store: Lookup }[];
}
