import type { CommandEntry } from './command.ts';

/** All commands, the main road first, then the groups. The order is the order in the help. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Write a set of documents to start with',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  {
    name: 'plan',
    summary: 'Lock a Release: every image, chart and file by digest',
    load: async () => (await import('./commands/plan.ts')).planCommand,
  },
  {
    name: 'why',
    summary: 'Say why something is in a Lock',
    load: async () => (await import('./commands/why.ts')).whyCommand,
  },
  {
    name: 'bundle create',
    summary: 'Fetch everything that a Lock names into one bundle',
    load: async () => (await import('./commands/bundle-create.ts')).bundleCreateCommand,
  },
  {
    name: 'bundle verify',
    summary: 'Check every byte of a bundle',
    load: async () => (await import('./commands/bundle-verify.ts')).bundleVerifyCommand,
  },
  {
    name: 'bundle inspect',
    summary: 'Show what a bundle holds',
    load: async () => (await import('./commands/bundle-inspect.ts')).bundleInspectCommand,
  },
  {
    name: 'load',
    summary: 'Send a bundle into a registry',
    load: async () => (await import('./commands/load.ts')).loadCommand,
  },
  {
    name: 'prove',
    summary: 'Prove that a node will be able to pull every image',
    load: async () => (await import('./commands/prove.ts')).proveCommand,
  },
  {
    name: 'mirrors explain',
    summary: 'Say where a node pulls an image from, and why',
    load: async () => (await import('./commands/mirrors-explain.ts')).mirrorsExplainCommand,
  },
  {
    name: 'mirrors lint',
    summary: 'Check the files that say where nodes pull from, and mend them',
    load: async () => (await import('./commands/mirrors-lint.ts')).mirrorsLintCommand,
  },
  {
    name: 'mirrors write',
    summary: 'Tell a node to pull from the registries of its Site',
    load: async () => (await import('./commands/mirrors-write.ts')).mirrorsWriteCommand,
  },
  {
    name: 'mirrors diff',
    summary: 'Show what a node would get, file by file',
    load: async () => (await import('./commands/mirrors-diff.ts')).mirrorsDiffCommand,
  },
  {
    name: 'mirrors apply',
    summary: 'Set this machine up, or take the last change back',
    load: async () => (await import('./commands/mirrors-apply.ts')).mirrorsApplyCommand,
  },
  {
    name: 'mirrors add',
    summary: 'Pull from one registry through another',
    load: async () => (await import('./commands/mirrors-add.ts')).mirrorsAddCommand,
  },
  {
    name: 'mirrors remove',
    summary: 'Remove the rules of single registries, or all',
    load: async () => (await import('./commands/mirrors-remove.ts')).mirrorsRemoveCommand,
  },
  {
    name: 'registry serve',
    summary: 'Serve a bundle, or a folder that takes pushes, as a registry',
    load: async () => (await import('./commands/registry-serve.ts')).registryServeCommand,
  },
  {
    name: 'registry gc',
    summary: 'Free the space of what was deleted from the folder of a registry',
    load: async () => (await import('./commands/registry-gc.ts')).registryGcCommand,
  },
  {
    name: 'quickstart',
    summary: 'Run the whole chain on this machine with a release made on the spot',
    load: async () => (await import('./commands/quickstart.ts')).quickstartCommand,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of a document kind, for editors and other tools',
    load: async () => (await import('./commands/schema.ts')).schemaCommand,
  },
  {
    name: 'doctor',
    summary: 'Check whether this machine can do what Slipway needs',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'completion',
    summary: 'Print the completion script for a shell',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
  {
    name: 'help',
    summary: 'Show the commands, or the options of one command',
    load: async () => (await import('./commands/help.ts')).helpCommand,
  },
  {
    name: 'version',
    summary: 'Print the version of Slipway (also: slipway --version)',
    load: async () => (await import('./commands/version.ts')).versionCommand,
  },
];
