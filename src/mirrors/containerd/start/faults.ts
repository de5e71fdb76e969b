/** What a main configuration can do to containerd: keep it from starting, or CRI from loading. */

import { PathFault } from '../../go/path-fault.ts';

/** Why containerd does not start: a setting in the files that it read; `path` leads to it. */
export class StartFault extends PathFault {}

/** Why the CRI plugin does not load; `path` leads to the setting that decides it. */
export interface PluginFault {
  readonly error: string;
  readonly path: readonly string[];
}
