import { defineError, mostSerious } from '../shared/errors.ts';
import { formatBytes, formatCount } from '../shared/quantities.ts';
import { type FailureGroup, formatGroups } from './failure-groups.ts';
import type { KeptArtefact } from './purpose.ts';

/** The errors of bundles; docs/reference/errors.md explains each. */

export const BundleNotFound = defineError<{ path: string }>({
  code: 'BUNDLE_NOT_FOUND',
  category: 'input',
  message: ({ path }) => `there is no bundle at ${path}`,
  fix: () => 'Give the path of a bundle directory or .tar that "slipway bundle create" made.',
  retry: false,
});

export const BundleIncomplete = defineError<{ path: string; partial: string }>({
  code: 'BUNDLE_INCOMPLETE',
  category: 'input',
  message: ({ path, partial }) =>
    `${path} is not finished; what there is so far lies in ${partial}`,
  fix: () => 'Run the same "slipway bundle create" again; it goes on where it stopped.',
  retry: false,
});

export const BundleNotABundle = defineError<{ path: string; why: string }>({
  code: 'BUNDLE_NOT_A_BUNDLE',
  category: 'input',
  message: ({ path, why }) => `${path} is not a slipway bundle: ${why}`,
  fix: () => 'Give the path of a bundle directory or .tar that "slipway bundle create" made.',
  retry: false,
});

export const BundleTooNew = defineError<{ path: string; found: number; known: number }>({
  code: 'BUNDLE_TOO_NEW',
  category: 'input',
  message: ({ path, found, known }) =>
    `${path} has bundle format ${found}; this slipway reads up to ${known}`,
  fix: () => 'Use the slipway that made the bundle, or a newer one.',
  retry: false,
});

export const BundlePathUnsafe = defineError<{ path: string; entry: string }>({
  code: 'BUNDLE_PATH_UNSAFE',
  category: 'refused',
  message: ({ path, entry }) => `${path} names a file outside of itself: ${JSON.stringify(entry)}`,
  fix: () => 'Do not use this bundle; no slipway wrote it. Get it again from its maker.',
  retry: false,
});

export const BundleDamaged = defineError<{ path: string; problems: readonly string[] }>({
  code: 'BUNDLE_DAMAGED',
  category: 'negative',
  message: ({ path, problems }) =>
    `${path} is not what it was when it was made: ${formatCount(problems.length, 'difference')}\n${problems
      .map((problem) => `  ${problem}`)
      .join('\n')}`,
  fix: () => 'Copy the bundle again from where it was made, then verify it again.',
  retry: false,
});

export const BundleMismatch = defineError<{ path: string; why: string }>({
  code: 'BUNDLE_MISMATCH',
  category: 'refused',
  message: ({ path, why }) => `in ${path} the parts do not belong together: ${why}`,
  fix: () => 'Plan again with this slipway, then create the bundle from that Lock.',
  retry: false,
});

export const BundleExists = defineError<{ path: string }>({
  code: 'BUNDLE_EXISTS',
  category: 'input',
  message: ({ path }) => `${path} is there already and was made from something else`,
  fix: ({ path }) => `Give another name with -o, or move ${path} away first.`,
  retry: false,
});

export const BundlePartialForeign = defineError<{ path: string; why: string }>({
  code: 'BUNDLE_PARTIAL_FOREIGN',
  category: 'input',
  message: ({ path, why }) =>
    `${path} is where an unfinished bundle would lie, and something else is there: ${why}`,
  fix: ({ path }) => `Move it away (mv ${path} ${path}.kept), or give another name with -o.`,
  retry: false,
});

export const BundleNotForOthers = defineError<{ kept: readonly KeptArtefact[] }>({
  code: 'BUNDLE_NOT_FOR_OTHERS',
  category: 'refused',
  message: ({ kept }) =>
    `not everything may be given to others; ${kept.length === 1 ? 'this one' : `these ${kept.length}`} may not:\n${kept.map(({ name, because }) => `  ${name}: ${because}`).join('\n')}`,
  fix: ({ kept }) =>
    `For a bundle that stays in your own organisation add --own-use; it is written into the bundle. A licence that a person has looked at goes under "approvals" of the SourcePolicy. Who asks for one of them, and where: slipway why ${kept[0]?.name ?? 'NAME'}`,
  retry: false,
});

export const BundleFetchFailed = defineError<{
  failed: number;
  groups: readonly FailureGroup[];
  path: string;
  /** The Lock was made with a SourcePolicy, and none was given. */
  lacksPolicy?: boolean;
}>({
  code: 'BUNDLE_FETCH_FAILED',
  category: 'remote',
  categoryOf: ({ groups }) => mostSerious(groups.map(({ category }) => category)),
  message: ({ failed, groups, lacksPolicy }) =>
    `${formatCount(failed, 'entry', 'entries')} of the bundle could not be fetched${
      lacksPolicy === true ? ', without the SourcePolicy that the Lock was made with' : ''
    }\n${formatGroups(groups)}`,
  fix: ({ lacksPolicy }) =>
    lacksPolicy === true
      ? 'Give the policy, which says where the sources are reached and with which login: the same command with --policy policy.yaml. What is fetched stays fetched.'
      : 'Mend the cause and run the same command again; what is fetched stays fetched.',
  retry: true,
});

export const BundleFileOther = defineError<{
  name: string;
  url: string;
  /** Where the Release lists the file: `release.yaml:14:5`. */
  place: string;
  why: string;
}>({
  code: 'BUNDLE_FILE_OTHER',
  category: 'remote',
  message: ({ name, url, place, why }) =>
    `${url} does not give the file ${name} as the Release has it (${place}): ${why}`,
  fix: ({ place }) =>
    `Compare the digest at ${place} with what the maker of the file publishes. If the Release is wrong, correct it and plan again; if the server is, it has another file or a damaged one.`,
  retry: false,
});

export const DiskTooSmall = defineError<{ path: string; needBytes: number; freeBytes: number }>({
  code: 'DISK_TOO_SMALL',
  category: 'local',
  message: ({ path, needBytes, freeBytes }) =>
    `the bundle needs ${formatBytes(needBytes)} more, and the disk of ${path} has ${formatBytes(freeBytes)} free`,
  fix: () => 'Free space, or give a path on another disk with -o.',
  retry: false,
});

export const LoadFailed = defineError<{
  registry: string;
  failed: number;
  of: number;
  groups: readonly FailureGroup[];
}>({
  code: 'LOAD_FAILED',
  category: 'remote',
  categoryOf: ({ groups }) => mostSerious(groups.map(({ category }) => category)),
  message: ({ registry, failed, of, groups }) =>
    `${failed} of ${formatCount(of, 'name')} did not get into ${registry}\n${formatGroups(groups)}`,
  fix: ({ groups }) =>
    groups.every(({ code }) => code === 'INDEX_SPARSE_REFUSED')
      ? 'The same command with --rewrite-indexes; what is loaded is not sent again.'
      : 'Mend each cause as it says, then load again; what is loaded is not sent again.',
  retry: true,
});

export const LoadNothingMatches = defineError<{ bundle: string; only: readonly string[] }>({
  code: 'LOAD_NOTHING_MATCHES',
  category: 'input',
  message: ({ bundle, only }) => `${bundle} has no image with ${only.join(' or ')} in its name`,
  fix: ({ bundle }) => `See what it holds: slipway bundle inspect ${bundle}`,
  retry: false,
});

export const RewriteRecordInvalid = defineError<{ file: string; why: string }>({
  code: 'REWRITE_RECORD_INVALID',
  category: 'input',
  message: ({ file, why }) => `${file} is not a record of rewritten indexes: ${why}`,
  fix: () => 'Give the file that "slipway load --rewrite-indexes" wrote beside the bundle.',
  retry: false,
});
