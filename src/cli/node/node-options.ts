/** The options of every command that looks at one node; all of them mean the same everywhere. */
export const nodeOptions = {
  root: {
    kind: 'folder',
    value: 'DIR',
    summary: 'the root of the node: / on the node itself, or a folder that holds it',
    required: true,
  },
  rootHere: {
    kind: 'folder',
    value: 'DIR',
    summary: 'the root of the node; default: this machine',
    default: '/',
  },
  runtime: {
    kind: 'text',
    value: 'NAME@VERSION',
    summary: 'the container runtime of the node; default: what the Site and the Lock say',
  },
  cluster: {
    kind: 'choice',
    value: 'KIND',
    choices: ['management', 'workload', 'bootstrap'],
    summary: 'which cluster of the Site the node belongs to, where their runtimes differ',
  },
} as const;
