/** What a reader of a node's configuration noticed; docs/reference/mirror-rules.md lists the rules. */

import type { TextEdit } from '../documents/text-edit.ts';
import { compareText } from '../shared/json.ts';
import type { RuleId } from './finding-rules.ts';

/** Where something comes from: a place in a file, or the runtime itself. */
export type Origin = FilePlace | BuiltIn;

/** Where something stands on the node: `/etc/containerd/certs.d/docker.io/hosts.toml`, line 3. */
export interface FilePlace {
  readonly builtIn?: never;
  /** The path as the node sees it, not as this machine does. */
  readonly file: string;
  /** Counted from 1; absent for a whole file, or a missing one. */
  readonly line?: number;
  /** Counted from 1 in characters; only together with a line. */
  readonly column?: number;
}

/** What no file says: the runtime does it by itself. */
export interface BuiltIn {
  readonly builtIn: true;
  readonly file?: never;
  readonly line?: never;
  readonly column?: never;
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
  /**
   * Whose pulls it is about: `docker.io`, a prefix of names, `*` for all without rules of their own.
   * Absent where it is about those of several, or nobody knows.
   */
  readonly registry?: string;
  readonly origin: Origin;
  readonly message: string;
  /** What to do now, in one sentence. */
  readonly fix: string;
  /** Where the case is another level than its rule: "no upstream is cut off" is worse offline. */
  readonly level?: FindingLevel;
  /** The file says what only newer versions know: a note where those are looked at, too. */
  readonly isForNewer?: true;
  /** The change that makes the finding go away without any other effect; absent where a person must decide. */
  readonly mend?: Mend;
}

/** A safe change of the node's files, for `mirrors lint --fix`. */
export type Mend =
  /** In the file, the characters from `start` to before `end` (UTF-16 units) become `text`; none overlaps. */
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly edits: readonly TextEdit[];
    }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string };

/** What was noticed, and how bad it is by the table of rules. */
export interface Finding extends Noticed {
  readonly level: FindingLevel;
  readonly about: FindingSubject;
}

/** `{ file: '/a/hosts.toml', line: 3 }` → `/a/hosts.toml:3`; with a column `/a/hosts.toml:3:7`; else `built in`. */
export function formatOrigin({ builtIn, file, line, column }: Origin): string {
  if (builtIn) return 'built in';
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** What makes two findings the same one, whatever their words: `C002 /a/hosts.toml:3`. */
export function findingKey({ rule, origin }: Pick<Noticed, 'rule' | 'origin'>): string {
  return `${rule} ${formatOrigin(origin)}`;
}

/** The {@link Origin} of what the runtime does by itself. */
export const BUILT_IN: BuiltIn = { builtIn: true };

/** The same place under another name of its file. */
export function inFile(origin: Origin, file: string): Origin {
  return origin.builtIn ? origin : { ...origin, file };
}

/** By file, line and column; a whole file comes before its lines, and what is built in before all files. */
export function comparePlaces(a: Origin, b: Origin): number {
  return (
    compareText(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0)
  );
}

/** The order in which findings are told: by place, those of one place by their rules. */
export function compareFindings(
  a: Pick<Noticed, 'rule' | 'origin'>,
  b: Pick<Noticed, 'rule' | 'origin'>,
): number {
  return comparePlaces(a.origin, b.origin) || compareText(a.rule, b.rule);
}
