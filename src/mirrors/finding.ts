/**
 * What a reader of a node's configuration noticed. The rule numbers (C001 ...) are those of the
 * rules for containerd; docs/reference/mirror-rules.md lists them.
 */

/** Where something stands on the node: `/etc/containerd/certs.d/docker.io/hosts.toml`, line 3. */
export interface Origin {
  /** The path as the node sees it, not as this machine does. */
  readonly file: string;
  /** Counted from 1; absent for a whole file, a missing file, or a built-in default. */
  readonly line?: number;
}

/** `error`: the configuration does not do what it says; `warn`: surprising; `info`: worth knowing. */
export type FindingLevel = 'error' | 'warn' | 'info';

/** One rule that a configuration breaks, with its place and what to do. */
export interface Finding {
  /** `C002`: the number of the rule. */
  readonly rule: string;
  readonly level: FindingLevel;
  readonly origin: Origin;
  readonly message: string;
  /** What to do now, in one sentence. */
  readonly fix: string;
}

/** `{ file: '/a/hosts.toml', line: 3 }` → `/a/hosts.toml:3`. */
export function formatOrigin(origin: Origin): string {
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;
}
