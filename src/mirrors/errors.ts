import { defineError } from '../shared/errors.ts';
import { shellWord } from '../shared/shell-word.ts';
import { atRoot } from './at-root.ts';
import { PERMISSION_DENIED } from './permission-denied.ts';

/** A version as each project writes it; containerd's where the runtime is another one. */
function exampleOf(runtime: string): string {
  const examples: Readonly<Record<string, string>> = {
    k3s: 'k3s@v1.28.8+k3s1',
    rke2: 'rke2@v1.28.8+rke2r1',
    'cri-o': 'cri-o@1.31.0',
    podman: 'podman@5.2.0',
    docker: 'docker@28.0.0',
    talos: 'talos@1.9.0',
  };
  return examples[runtime.split('@')[0] ?? ''] ?? 'containerd@2.1.1';
}

/** The runtime of a node is not one whose rules are known. */
export const MirrorRuntimeUnknown = defineError<{ runtime: string }>({
  code: 'MIRROR_RUNTIME_UNKNOWN',
  category: 'usage',
  message: ({ runtime }) =>
    `the pull rules of ${runtime} are not known: its version is missing, too old, or of a line that did not exist yet`,
  fix: ({ runtime }) =>
    `Write it with all its numbers, such as ${exampleOf(runtime)}; on the node, ${runtime.split('@')[0]} --version says which it is. Known are containerd from 1.6.0, k3s, RKE2, CRI-O, podman, Docker and Talos; docs/reference/runtimes has the lines of each.`,
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
      ? 'Nothing was written. Correct the named files of the node, or the Site if there is one, and run again. A runtime that keeps authorities and logins once for each host, such as Talos, needs the same --ca and --login in every rule for that host.'
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
export const MirrorRuleNotWritable = defineError<{
  rule: string;
  reason: string;
  /** The nearest thing that works, where one is known. */
  instead?: string;
}>({
  code: 'MIRROR_RULE_NOT_WRITABLE',
  category: 'refused',
  message: ({ rule, reason }) => `the rule for ${rule} cannot be written: ${reason}`,
  fix: ({ instead }) =>
    instead ??
    'Reach the registry by name or IPv4, put it last in the list, or use a newer runtime.',
  retry: false,
});

/** Paths below the root of the node cannot be written. */
export const MirrorPathUnusable = defineError<{
  /** `taken back`: it failed midway, and the node is again as it was. */
  when: 'before writing' | 'while writing' | 'taken back';
  places: ReadonlyArray<{ readonly path: string; readonly reason: string }>;
}>({
  code: 'MIRROR_PATH_UNUSABLE',
  category: 'local',
  categoryOf: ({ places }) =>
    places.every(({ reason }) => reason === PERMISSION_DENIED) ? 'denied' : 'local',
  message: ({ when, places }) => {
    const list = places.map(({ path, reason }) => `${path} (${reason})`).join(', ');
    const rests = {
      'before writing': '; nothing was changed',
      'while writing': '',
      'taken back': '; what was changed before that was taken back',
    };
    return `cannot be written on the node: ${list}${rests[when]}`;
  },
  fix: ({ places }) => {
    if (places.some(({ reason }) => reason === PERMISSION_DENIED)) {
      return 'Run it as root, or as the user who may write these paths below the root that was given.';
    }
    const full = places.find(({ reason }) => /no room left/.test(reason));
    return full === undefined
      ? 'Look at the paths below the root that was given: each must be a plain file or nothing, in a folder that may be written. Move away what is there, and run again.'
      : `Free some space on the file system that holds ${full.path} below the root that was given (df -h), and run the same command again.`;
  },
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

/** An answer that `mirrors explain` shall assume is none. */
export const MirrorAnswerInvalid = defineError<{ text: string; reason: string }>({
  code: 'MIRROR_ANSWER_INVALID',
  category: 'usage',
  message: ({ text, reason }) => `--answer ${text}: ${reason}`,
  fix: () =>
    'Write the host as the configuration has it, and what it shall answer: --answer harbor.example:5000=404, or =refused, =plain-http, =tls.',
  retry: false,
});

/** A file alone is none that the runtime would read anywhere. */
export const MirrorFileUnplaced = defineError<{ file: string }>({
  code: 'MIRROR_FILE_UNPLACED',
  category: 'usage',
  message: ({ file }) => `${file} is no file that this runtime reads under any path`,
  fix: () =>
    'Name the root of the node, a folder of its configuration, or one file with the name that the runtime reads (docs/reference/runtimes); or say another --runtime.',
  retry: false,
});

/** A folder to lint holds more files than configuration has. */
export const MirrorLintTooLarge = defineError<{ folder: string; most: number }>({
  code: 'MIRROR_LINT_TOO_LARGE',
  category: 'usage',
  message: ({ folder, most }) =>
    `${folder} holds more than ${most} files that could be configuration`,
  fix: () =>
    'Name the folder or the files that are meant; for a whole node say --root DIR, which looks only where runtimes look.',
  retry: false,
});

/** Nothing that was named is a file that a runtime would read. */
export const MirrorLintUnrecognised = defineError<{
  files: readonly string[];
  because: string;
  /** The runtimes that do read them. */
  readers: readonly string[];
  /** True for what was given as the root of a node. */
  isRoot?: true;
}>({
  code: 'MIRROR_LINT_UNRECOGNISED',
  category: 'usage',
  message: ({ files, because }) => `nothing to check in ${files.join(', ')}: ${because}`,
  fix: ({ files, readers: [reader], isRoot = false }) => {
    if (isRoot) {
      return `Give the folder below which etc of the node lies. If ${files.join(', ')} is a folder of configuration and no root, leave --root out: slipway mirrors lint ${files.map(shellWord).join(' ')}`;
    }
    return reader !== undefined
      ? `Run the same with --runtime ${reader}, or without --runtime.`
      : 'Name a hosts.toml, config.toml, registries.yaml, registries.conf, daemon.json, a Talos machine configuration, a manifest or a list of images; a folder with them; or a whole node with --root DIR.';
  },
  retry: false,
});

/** A file is no longer what it was when it was checked. */
export const MirrorFileChanged = defineError<{ file: string }>({
  code: 'MIRROR_FILE_CHANGED',
  category: 'refused',
  message: ({ file }) => `${file} changed while it was being looked at, so it was left alone`,
  fix: () => 'Somebody else is working on it. Run the same command again when they are done.',
  retry: true,
});

/** Rules of ours are on the node, and nobody remembers which; a change of one would lose the others. */
export const MirrorRulesUnknown = defineError<{ root: string; file: string }>({
  code: 'MIRROR_RULES_UNKNOWN',
  category: 'refused',
  message: ({ file }) =>
    `${file} was written by Slipway, but the node does not remember its rules, so one cannot be changed alone`,
  fix: ({ root }) =>
    `Write all rules once more from the Site and the Lock: slipway mirrors apply --site SITE${atRoot(root)}. Or remove them all: slipway mirrors remove --all${atRoot(root)}`,
  retry: false,
});

/** A rule shall stay whose password only the runtime's own file had, and that has it no more. */
export const MirrorLoginForgotten = defineError<{
  root: string;
  rule: string;
  host: string;
  username: string;
}>({
  code: 'MIRROR_LOGIN_FORGOTTEN',
  category: 'refused',
  message: ({ rule, host, username }) =>
    `the rule for ${rule} logs in to ${host} as ${username}, and the files of the node have this login no more; nothing was changed`,
  fix: ({ root, rule, host }) =>
    `Give the login again: slipway mirrors add ${shellWord(rule)} --to ${host} --login FILE${atRoot(root)}. Or remove the rule: slipway mirrors remove ${shellWord(rule)}${atRoot(root)}`,
  retry: false,
});

/** A rule shall go that is not there. */
export const MirrorRuleAbsent = defineError<{
  root: string;
  rule: string;
  known: readonly string[];
  meant?: string;
}>({
  code: 'MIRROR_RULE_ABSENT',
  category: 'usage',
  message: ({ rule, known, meant }) => {
    if (known.length === 0)
      return `the node has no rule for ${rule}, nor any other that Slipway wrote`;
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    return `the node has no rule for ${rule}; it has rules for ${known.join(', ')}${hint}`;
  },
  fix: ({ root, known }) =>
    known.length === 0
      ? 'There is nothing to remove; say --root if another node is meant.'
      : `Name one of the rules, or remove them all: slipway mirrors remove --all${atRoot(root)}`,
  retry: false,
});

/** The place that a new rule shall lead to, or the registry that it is for, is not written as one. */
export const MirrorTargetInvalid = defineError<{ option: string; text: string; reason: string }>({
  code: 'MIRROR_TARGET_INVALID',
  category: 'usage',
  // A password that somebody put in front of the host must not reach a log.
  message: ({ option, text, reason }) =>
    `${option} ${text.replace(/^([a-z]+:\/\/)?.*@/i, '$1[secret]@')}: ${reason}`,
  fix: () =>
    'Write a registry as host[:port], and where its images are found as host[:port][/path], with http:// before it only where there is no TLS: add docker.io --to harbor.example:5000/hub',
  retry: false,
});

/** The rules are in place, but the runtime could not be told. */
export const MirrorReloadFailed = defineError<{ command: string; reason: string }>({
  code: 'MIRROR_RELOAD_FAILED',
  category: 'local',
  message: ({ command, reason }) =>
    `the rules are in place, but the runtime does not know it yet: ${command} failed: ${reason}`,
  fix: ({ command }) =>
    `Run it yourself: ${command}. Or take the change back: slipway mirrors apply --undo`,
  retry: true,
});
