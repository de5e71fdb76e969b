import type { RuntimeId } from '../site/runtime-id.ts';
import { behaviourFor } from './containerd/behaviour.ts';
import { containerdRules } from './containerd/containerd-rules.ts';
import { dockerBehaviourFor } from './docker/behaviour.ts';
import { dockerRules } from './docker/docker-rules.ts';
import { k3sBehaviourFor } from './k3s/behaviour.ts';
import { k3sRules } from './k3s/k3s-rules.ts';
import { registriesConfBehaviour } from './registries-conf/behaviour.ts';
import { registriesConfRules } from './registries-conf/registries-conf-rules.ts';
import type { RuntimeRules } from './runtime-rules.ts';
import { talosBehaviourFor } from './talos/behaviour.ts';
import { talosRules } from './talos/talos-rules.ts';

/**
 * The rules of a runtime: `{ name: 'containerd', version: '2.1.1' }`; the only place that knows which
 * runtimes there are. Rejects with MIRROR_RUNTIME_UNKNOWN for others and without a version.
 */
export async function openRuntime(runtime: RuntimeId): Promise<RuntimeRules> {
  if (runtime.name === 'docker') return dockerRules(await dockerBehaviourFor(runtime));
  if (runtime.name === 'cri-o' || runtime.name === 'podman') {
    return registriesConfRules(await registriesConfBehaviour(runtime));
  }
  if (runtime.name === 'talos') return talosRules(await talosBehaviourFor(runtime));
  if (runtime.name === 'k3s' || runtime.name === 'rke2') {
    return k3sRules(await k3sBehaviourFor(runtime));
  }
  return containerdRules(await behaviourFor(runtime));
}
