import { defineError } from '../shared/errors.ts';

/** The runtime of a node is not one whose rules are known. */
export const MirrorRuntimeUnknown = defineError<{ runtime: string }>({
  code: 'MIRROR_RUNTIME_UNKNOWN',
  category: 'usage',
  message: ({ runtime }) =>
    `the pull rules of ${runtime} are not known; so far only containerd 1.6, 1.7 and 2.x are`,
  fix: ({ runtime }) =>
    runtime.startsWith('containerd@') || runtime === 'containerd'
      ? 'Write it with all three numbers, from 1.6.0 to any 2.x: containerd@2.1.1. On the node, containerd --version says which it is.'
      : 'For this runtime rules can be neither written nor proved yet; other runtimes come later. If the node runs containerd as a service of its own, say --runtime containerd@VERSION.',
  retry: false,
});

/** A registry publishes its images only under names that rules of this runtime cannot ask for. */
export const MirrorLayoutNotExpressible = defineError<{
  registry: string;
  upstream: string;
  reasons: readonly string[];
}>({
  code: 'MIRROR_LAYOUT_NOT_EXPRESSIBLE',
  category: 'refused',
  message: ({ registry, upstream, reasons }) =>
    `no mirror rule can send ${upstream} to the names in ${registry}: ${reasons.join('; ')}`,
  fix: ({ registry }) =>
    `Add keep-path to the publish list of ${registry} in the Site and load the bundle again; a name costs no space.`,
  retry: false,
});

/** Files that somebody else wrote, or edited since, stand where rules must be written. */
export const MirrorFileForeign = defineError<{
  files: readonly string[];
  edited: readonly string[];
  insert?: string;
}>({
  code: 'MIRROR_FILE_FOREIGN',
  category: 'refused',
  message: ({ files, edited }) => {
    const was = files.length === 1 ? 'was' : 'were';
    const it = edited.length === 1 ? 'it' : 'them';
    const claims = [
      ...(files.length > 0 ? [`${files.join(', ')} ${was} not written by Slipway`] : []),
      ...(edited.length > 0
        ? [`somebody edited ${edited.join(', ')} since Slipway wrote ${it}`]
        : []),
    ];
    return `${claims.join(', ')}; nothing was changed`;
  },
  fix: ({ insert }) =>
    insert === undefined
      ? 'Remove the files, or run again with --replace: a copy with the suffix .before-slipway stays beside each.'
      : `Run again with --replace (a copy with the suffix .before-slipway stays beside it), or change the file by hand and run again:\n${insert}`,
  retry: false,
});

/** The rules, read back as the runtime reads them, do not do what they are for. */
export const MirrorReadbackFailed = defineError<{
  when: 'before writing' | 'after writing';
  problems: readonly string[];
}>({
  code: 'MIRROR_READBACK_FAILED',
  category: 'refused',
  message: ({ when, problems }) =>
    `the mirror rules do not do what they are for (checked ${when}): ${problems.join('; ')}`,
  fix: ({ when }) =>
    when === 'before writing'
      ? 'Nothing was written. Correct the named files of the node, or the Site, and run again.'
      : 'Somebody changed files of the node meanwhile. Look at the named places and run again.',
  retry: false,
});

/** A registry of the Site wants its certificates unchecked, and nobody said so on the command line. */
export const MirrorSkipVerifyNotAllowed = defineError<{ registry: string }>({
  code: 'MIRROR_SKIP_VERIFY_NOT_ALLOWED',
  category: 'refused',
  message: ({ registry }) =>
    `the Site says insecureSkipVerify for ${registry}; nodes would accept any certificate`,
  fix: () =>
    'Give the registry a CA in the Site (trust.ca), or say --insecure-skip-verify too; every report will name it.',
  retry: false,
});

/** Rules cannot be written for this runtime version. */
export const MirrorRuleNotWritable = defineError<{ rule: string; reason: string }>({
  code: 'MIRROR_RULE_NOT_WRITABLE',
  category: 'refused',
  message: ({ rule, reason }) => `the rule for ${rule} cannot be written: ${reason}`,
  fix: () => 'Reach the registry by name or IPv4, put it last in the list, or use a newer runtime.',
  retry: false,
});

/** Paths below the root of the node cannot be written. */
export const MirrorPathUnusable = defineError<{
  when: 'before writing' | 'while writing';
  places: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}>({
  code: 'MIRROR_PATH_UNUSABLE',
  category: 'local',
  message: ({ when, places }) => {
    const list = places.map(({ path, reason }) => `${path} (${reason})`).join(', ');
    const rest = when === 'before writing' ? '; nothing was changed' : '';
    return `cannot be written on the node: ${list}${rest}`;
  },
  fix: () =>
    'Look at the paths below the root that was given: each must be a plain file or nothing, in a folder that may be written. Move away what is there, and run again.',
  retry: false,
});

/** The node's own configuration is broken already, so nothing that is added to it can help. */
export const MirrorConfigBroken = defineError<{
  error: string;
  file: string;
  place: string;
  /** What to do, where more is known than that the place is wrong. */
  mend?: string;
}>({
  code: 'MIRROR_CONFIG_BROKEN',
  category: 'refused',
  message: ({ error, place }) =>
    `the node's own configuration is broken: ${error} (${place}); nothing was changed`,
  fix: ({ file, place, mend }) =>
    mend ??
    `Correct ${place}, or move ${file} away if nobody needs it; then run again. --replace does not help here: it keeps what others wrote.`,
  retry: false,
});

/** The node's own configuration is in a form that single lines cannot be put into. */
export const MirrorConfigNotEditable = defineError<{
  place: string;
  reason: string;
  insert: string;
}>({
  code: 'MIRROR_CONFIG_NOT_EDITABLE',
  category: 'refused',
  message: ({ place, reason }) =>
    `${place}: ${reason}, so Slipway cannot change single lines there; nothing was changed`,
  fix: ({ insert }) =>
    `Change that place by hand so that the file says the following, then run again; --replace does not help here:\n${insert}`,
  retry: false,
});
