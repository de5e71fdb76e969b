import { defineError } from '../shared/errors.ts';

/** The runtime of a node is not one whose rules are known. */
export const MirrorRuntimeUnknown = defineError<{ runtime: string; known: string }>({
  code: 'MIRROR_RUNTIME_UNKNOWN',
  category: 'usage',
  message: ({ runtime, known }) => `the pull rules of ${runtime} are not known; known: ${known}`,
  fix: () =>
    'Write the runtime as name@version, for example containerd@2.1.1. On the node, containerd --version says which it is.',
  retry: false,
});

/** A data file that ships with the product does not have its shape. */
export const MirrorDataInvalid = defineError<{ file: string; problem: string }>({
  code: 'MIRROR_DATA_INVALID',
  category: 'internal',
  message: ({ file, problem }) => `${file} is damaged: ${problem}`,
  fix: () => 'Install Slipway again; if this is a work tree, restore the file.',
  retry: false,
});
