/** The lines of containerd that are compared, each in the version that is built from public Go modules. */

import {
  type ContainerdLine,
  containerdVersions,
  type ToolSetName,
} from '../../support/tools/tool-sets.ts';

export interface Line {
  readonly name: ContainerdLine;
  /** `2.1.9`. */
  readonly version: string;
  /** Has the program `oracle`. */
  readonly oracle: ToolSetName;
  /** Has the program `containerd`. */
  readonly daemon: ToolSetName;
  /** Which `version` the line's own main configuration has. */
  readonly configVersion: 2 | 3 | 4;
  /** True from 2.1 on: CRI pulls go through the transfer service unless a setting prevents it. */
  readonly hasTransferService: boolean;
}

/** Oldest first. */
export const lines: readonly Line[] = [
  line('1.7', { configVersion: 2, hasTransferService: false }),
  line('2.0', { configVersion: 3, hasTransferService: false }),
  {
    ...line('2.1', { configVersion: 3, hasTransferService: true }),
    daemon: 'containerd',
  },
  line('2.2', { configVersion: 3, hasTransferService: true }),
  line('2.3', { configVersion: 4, hasTransferService: true }),
  line('2.4', { configVersion: 4, hasTransferService: true }),
];

function line(
  name: ContainerdLine,
  facts: Pick<Line, 'configVersion' | 'hasTransferService'>,
): Line {
  const set: ToolSetName = `containerd-${name}`;
  const version = containerdVersions[name].slice(1);
  return { name, version, oracle: set, daemon: set, ...facts };
}
