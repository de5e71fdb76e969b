import { nodeOptions } from '../node/node-options.ts';
import type { EditOrder } from './run-edit.ts';

/** The options of the commands that change single rules of a node. */
export const editOptions = {
  root: nodeOptions.rootHere,
  runtime: {
    kind: 'text',
    value: 'NAME@VERSION',
    summary: 'the container runtime of the node; default: the one that Slipway wrote for last',
  },
  replace: {
    kind: 'flag',
    summary: 'replace files that somebody else wrote or edited; a copy stays beside each',
  },
  'dry-run': { kind: 'flag', summary: 'show what would be written, and write nothing' },
  reload: {
    kind: 'flag',
    summary: 'run what makes the runtime take the change, such as a restart; else it is only said',
  },
} as const;

/** The values of {@link editOptions}. */
export function editOrder(options: {
  readonly root: string;
  readonly runtime: string | undefined;
  readonly replace: boolean;
  readonly 'dry-run': boolean;
  readonly reload: boolean;
}): EditOrder {
  const { root, runtime, replace, reload } = options;
  return { root, runtime, replaceForeign: replace, dryRun: options['dry-run'], reload };
}
