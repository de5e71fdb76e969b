import type { ConfigTree } from '../../mirrors/config-tree.ts';
import { type NodeAuthorities, readNodeAuthorities } from './node-authorities.ts';
import { readServiceEnvironment, type ServiceEnvironment } from './service-environment.ts';

/** What the node gives its runtime besides the runtime's own configuration. */
export interface RuntimeService {
  readonly environment: ServiceEnvironment;
  readonly authorities: NodeAuthorities;
}

/** Reads it from the files of a node: the unit `containerd.service`, and the system's authorities. */
export async function readRuntimeService(tree: ConfigTree): Promise<RuntimeService> {
  const environment = await readServiceEnvironment(tree, 'containerd.service');
  return { environment, authorities: await readNodeAuthorities(tree, environment) };
}
