/** What a reader of a node's configuration noticed; docs/reference/mirror-rules.md lists the rules. */

import type { RuleId } from './finding-rules.ts';

/** Where something stands on the node: `/etc/containerd/certs.d/docker.io/hosts.toml`, line 3. */
export interface Origin {
  /** The path as the node sees it, not as this machine does. */
  readonly file: string;
  /** Counted from 1; absent for a whole file, a missing file, or a built-in default. */
  readonly line?: number;
}

/** `error`: the configuration does not do what it says; `warn`: surprising; `info`: worth knowing. */
export type FindingLevel = 'error' | 'warn' | 'info';

/**
 * What a finding is about: the rules of one registry, which Slipway can write anew, or the runtime's
 * main configuration, which a person has to mend.
 */
export type FindingSubject = 'registry rules' | 'main configuration';

/** One rule that a configuration breaks, with its place and what to do. */
export interface Noticed {
  /** `C002`: the number of the rule. */
  readonly rule: RuleId;
  readonly origin: Origin;
  readonly message: string;
  /** What to do now, in one sentence. */
  readonly fix: string;
}

/** What was noticed, and how bad it is by the table of rules. */
export interface Finding extends Noticed {
  readonly level: FindingLevel;
  readonly about: FindingSubject;
}

/** `{ file: '/a/hosts.toml', line: 3 }` → `/a/hosts.toml:3`. */
export function formatOrigin(origin: Origin): string {
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;
}
