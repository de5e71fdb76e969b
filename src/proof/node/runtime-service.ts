import type { ConfigTree } from '../../mirrors/config-tree.ts';
import type { ServiceUnits } from '../../mirrors/runtime-rules.ts';
import { type NodeAuthorities, readNodeAuthorities } from './node-authorities.ts';
import { hasUnit, readServiceEnvironment, type ServiceEnvironment } from './service-environment.ts';

/** What the node gives its runtime besides the runtime's own configuration. */
export interface RuntimeService {
  readonly environment: ServiceEnvironment;
  readonly authorities: NodeAuthorities;
}

/**
 * Reads it from the files of a node: the runtime's unit, such as `containerd.service`, and the
 * system's authorities. A runtime without a service has the environment of whoever starts it, which
 * no file says.
 */
export async function readRuntimeService(
  tree: ConfigTree,
  service: ServiceUnits | undefined,
): Promise<RuntimeService> {
  const environment =
    service === undefined ? new Map<string, never>() : await environmentOf(tree, service);
  return { environment, authorities: await readNodeAuthorities(tree, environment) };
}

async function environmentOf(
  tree: ConfigTree,
  { units, variablePrefix }: ServiceUnits,
): Promise<ServiceEnvironment> {
  for (const unit of units) {
    if (!(await hasUnit(tree, unit))) continue;
    return handedOn(await readServiceEnvironment(tree, unit), variablePrefix);
  }
  // Drop-ins and the manager's defaults count for a unit that this copy of a node does not hold.
  const [first] = units;
  if (first === undefined) return new Map();
  return handedOn(await readServiceEnvironment(tree, first), variablePrefix);
}

function handedOn(environment: ServiceEnvironment, prefix: string | undefined): ServiceEnvironment {
  if (prefix === undefined) return environment;
  const own = Array.from(environment).filter(([name]) => name.startsWith(prefix));
  return new Map([
    ...environment,
    ...own.map(([name, variable]) => [name.slice(prefix.length), variable] as const),
  ]);
}
