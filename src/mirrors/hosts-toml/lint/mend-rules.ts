/** What to do about rules that are not read, or that fail every pull: by their cause, not by its text. */

import type { Noticed } from '../../finding.ts';
import type { DiscardCause } from '../read/hosts-file.ts';
import type { RulesFault } from '../registry-rules.ts';

/** The rule that a configuration breaks, and what to do. */
export type Remedy = Pick<Noticed, 'rule' | 'fix'>;

/** C002, C021, C022: a hosts.toml that is discarded. `no-host-table` → C021, add a line [host]. */
export function mendDiscarded(cause: DiscardCause): Remedy {
  switch (cause) {
    case 'no-host-table':
      return { rule: 'C021', fix: 'Add a line [host]; it needs no keys.' };
    case 'encoding':
      return { rule: 'C022', fix: 'Save the file as UTF-8 without a byte order mark.' };
    case 'brackets':
      return { rule: 'C022', fix: 'Name the mirror without an IPv6 address, or use containerd 2.' };
    case 'syntax':
    case 'too-deep':
    case 'value':
      return {
        rule: 'C002',
        fix: 'Correct this place; containerd reads the file again at the next pull.',
      };
  }
}

/** C010, C028, C029, C030: what fails every pull of a registry. */
export function mendFailed(fault: RulesFault): Remedy {
  switch (fault.kind) {
    case 'trust-file':
      return { rule: 'C010', fix: trustFixes[fault.why] };
    case 'rules-unreadable':
      return { rule: 'C028', fix: unreadableFixes[fault.why] };
    case 'reader-panic':
      return {
        rule: 'C029',
        fix: 'Move this key above the first header, or below the [host."URL"] header of its mirror.',
      };
    case 'endpoint-url':
      return {
        rule: 'C030',
        fix: 'Correct the endpoint in registry.mirrors and restart containerd.',
      };
  }
}

const trustFixes = {
  missing: 'Put the file there, or correct its name.',
  folder: 'Name a file: a folder of certificates is not read.',
  unreadable: 'Make it a plain file that root may read: ls -ld shows what stands there.',
  'no-certificate': 'Put a certificate in PEM form (-----BEGIN CERTIFICATE-----) there.',
  'no-pair': 'Put a certificate and the key that belongs to it there, both in PEM form.',
} as const;

const unreadableFixes = {
  'folder for file': 'Move the folder away; hosts.toml must be a file.',
  'file for folder': 'Move the file away; rules stand in hosts.toml in a folder of this name.',
  unreadable:
    'Make it a plain file in a folder that root may read: ls -ld shows what stands there.',
} as const;
