import { defineError } from '../shared/errors.ts';

export const CommandUnknown = defineError<{ typed: string; hint: string }>({
  code: 'COMMAND_UNKNOWN',
  category: 'usage',
  message: (d) => `there is no command "${d.typed}"${d.hint}`,
  fix: () => 'See all commands with: slipway help',
  retry: false,
});

export const CommandIncomplete = defineError<{ group: string; commands: readonly string[] }>({
  code: 'COMMAND_INCOMPLETE',
  category: 'usage',
  message: (d) => `"slipway ${d.group}" is a group; say what to do: ${d.commands.join(', ')}`,
  fix: (d) => `See its commands with: slipway help ${d.group}`,
  retry: false,
});

export const OptionUnknown = defineError<{ command: string; typed: string; hint: string }>({
  code: 'OPTION_UNKNOWN',
  category: 'usage',
  message: (d) => `"slipway ${d.command}" has no option ${d.typed}${d.hint}`,
  fix: (d) => `See its options with: slipway ${d.command} --help`,
  retry: false,
});

export const OptionValueInvalid = defineError<{ command: string; option: string; because: string }>(
  {
    code: 'OPTION_VALUE_INVALID',
    category: 'usage',
    message: (d) => `${d.option} ${d.because}`,
    fix: (d) => `See what it takes with: slipway ${d.command} --help`,
    retry: false,
  },
);

export const OptionMissing = defineError<{ command: string; option: string; summary: string }>({
  code: 'OPTION_MISSING',
  category: 'usage',
  message: (d) => `"slipway ${d.command}" needs ${d.option} (${d.summary})`,
  fix: (d) => `See how it is called with: slipway ${d.command} --help`,
  retry: false,
});

export const ArgumentMissing = defineError<{ command: string; name: string; summary: string }>({
  code: 'ARGUMENT_MISSING',
  category: 'usage',
  message: (d) => `"slipway ${d.command}" needs ${d.name} (${d.summary})`,
  fix: (d) => `See how it is called with: slipway ${d.command} --help`,
  retry: false,
});

export const ArgumentUnexpected = defineError<{ command: string; typed: string }>({
  code: 'ARGUMENT_UNEXPECTED',
  category: 'usage',
  message: (d) => `"slipway ${d.command}" does not know what to do with "${d.typed}"`,
  fix: (d) => `See how it is called with: slipway ${d.command} --help`,
  retry: false,
});

export const SystemRefused = defineError<{ because: string }>({
  code: 'SYSTEM_REFUSED',
  category: 'local',
  message: (d) => `this machine refused: ${d.because}`,
  fix: () => 'Check disk space, permissions and limits with: slipway doctor',
  retry: false,
});

export const InternalFault = defineError<{ because: string }>({
  code: 'INTERNAL',
  category: 'internal',
  message: (d) => `Slipway itself made a mistake: ${d.because}`,
  fix: () => 'Run the command again with --debug and report what it prints.',
  retry: false,
});

export const DocumentsUnfit = defineError<{
  files: readonly string[];
  wanted: string;
  found: string;
}>({
  code: 'DOCUMENTS_UNFIT',
  category: 'usage',
  message: (d) => `this command takes ${d.wanted}; ${d.files.join(', ')}: ${d.found}`,
  fix: () =>
    'Name the files that hold the right documents. slipway init writes a set to start with.',
  retry: false,
});

export const FileUnavailable = defineError<{ url: string; status: number }>({
  code: 'FILE_UNAVAILABLE',
  category: 'remote',
  message: (d) => `${d.url} answers ${d.status}`,
  fix: () => 'Check the address of the file in the Release, and whether its server wants a login.',
  retry: false,
});

export const RegistryUndecided = defineError<{
  site: string;
  typed: string | undefined;
  known: readonly string[];
}>({
  code: 'REGISTRY_UNDECIDED',
  category: 'usage',
  message: (d) =>
    d.typed === undefined
      ? `the Site ${d.site} has several registries: ${d.known.join(', ')}`
      : `the Site ${d.site} has no registry "${d.typed}"; it has ${d.known.join(', ')}`,
  fix: (d) => `Say which one: --registry ${d.known[0] ?? 'NAME'}`,
  retry: false,
});

export const LockUndecided = defineError<{ folder: string; locks: readonly string[] }>({
  code: 'LOCK_UNDECIDED',
  category: 'usage',
  message: (d) =>
    d.locks.length === 0
      ? `${d.folder} has no Lock`
      : `${d.folder} has several Locks: ${d.locks.join(', ')}`,
  fix: (d) => `Say which one: --lock ${d.locks[0] ?? 'FILE'}`,
  retry: false,
});

export const OptionsContradict = defineError<{ command: string; because: string }>({
  code: 'OPTIONS_CONTRADICT',
  category: 'usage',
  message: (d) => `the options of "slipway ${d.command}" do not fit together: ${d.because}`,
  fix: (d) => `See how it is called with: slipway ${d.command} --help`,
  retry: false,
});

export const StarterExists = defineError<{ files: readonly string[] }>({
  code: 'STARTER_EXISTS',
  category: 'refused',
  message: (d) =>
    `${d.files.join(', ')} ${d.files.length === 1 ? 'is' : 'are'} there already; nothing was overwritten`,
  fix: () => 'Give another folder: slipway init FOLDER. Or move the files away first.',
  retry: false,
});

export const RuntimeUndecided = defineError<{
  because: string;
  /** Whether the command has --cluster. */
  hasCluster: boolean;
}>({
  code: 'RUNTIME_UNDECIDED',
  category: 'usage',
  message: (d) => `the container runtime of the node is not clear: ${d.because}`,
  fix: ({ hasCluster }) => {
    const cluster = hasCluster ? ', or say which cluster of the Site it is with --cluster' : '';
    return `Say it with --runtime NAME@VERSION, such as containerd@2.1.1${cluster}.`;
  },
  retry: false,
});

export const NodeRootMissing = defineError<{ root: string }>({
  code: 'NODE_ROOT_MISSING',
  category: 'usage',
  message: (d) => `${d.root} is no folder, so it cannot hold the root of a node`,
  fix: () =>
    'Give the folder below which etc of the node lies: / on the node itself, or a copy or mount of it.',
  retry: false,
});

/** A folder inside a node was given as its root; rules below it would be read by nobody. */
export const NodeRootInside = defineError<{ root: string; meant: string }>({
  code: 'NODE_ROOT_INSIDE',
  category: 'usage',
  message: (d) =>
    `${d.root} lies inside a node and is not its root: did you mean --root ${d.meant}?`,
  fix: (d) => `Give the root of the node, below which etc/containerd lies: --root ${d.meant}`,
  retry: false,
});

export const FolderInUse = defineError<{ folder: string }>({
  code: 'FOLDER_IN_USE',
  category: 'refused',
  message: (d) => `${d.folder} is not empty; nothing was written into it`,
  fix: () => 'Give a folder that is new or empty.',
  retry: false,
});

export const QuickstartDeviated = defineError<{ because: string }>({
  code: 'QUICKSTART_DEVIATED',
  category: 'negative',
  message: (d) => `the quickstart did not go as it should: ${d.because}`,
  fix: () =>
    'What the step printed above says why. Check this machine with: slipway doctor. Look at the files with: slipway quickstart --folder try',
  retry: false,
});
