import type { RuntimeId } from '../site/runtime-id.ts';
import { type FindingRules, loadFindingRules } from './finding-rules.ts';
import type { RuntimeRules } from './runtime-rules.ts';

/**
 * The rules of a runtime: `{ name: 'containerd', version: '2.1.1' }`; the only place that knows which
 * runtimes there are. Rejects with MIRROR_RUNTIME_UNKNOWN for versions that are not known, and without one.
 * Whoever opens several hands in the table of rules, which takes its time to read.
 */
export async function openRuntime(
  runtime: RuntimeId,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<RuntimeRules> {
  // A damaged table is an error here, not one that nobody waits for.
  await levels;
  // A command needs one of them, and loading all of them takes its time at every start.
  switch (runtime.name) {
    case 'containerd': {
      const { containerdBehaviourFor } = await import('./containerd-version/behaviour.ts');
      const { containerdRules } = await import('./containerd/containerd-rules.ts');
      return containerdRules(await containerdBehaviourFor(runtime), levels);
    }
    case 'k3s':
    case 'rke2': {
      const { k3sBehaviourFor } = await import('./k3s/behaviour.ts');
      const { k3sRules } = await import('./k3s/k3s-rules.ts');
      return k3sRules(await k3sBehaviourFor(runtime), levels);
    }
    case 'cri-o':
    case 'podman': {
      const { registriesConfBehaviourFor } = await import('./registries-conf/behaviour.ts');
      const { registriesConfRules } = await import('./registries-conf/registries-conf-rules.ts');
      return registriesConfRules(await registriesConfBehaviourFor(runtime), levels);
    }
    case 'docker': {
      const { dockerBehaviourFor } = await import('./docker/behaviour.ts');
      const { dockerRules } = await import('./docker/docker-rules.ts');
      return dockerRules(await dockerBehaviourFor(runtime), levels);
    }
    case 'talos': {
      const { talosBehaviourFor } = await import('./talos/behaviour.ts');
      const { talosRules } = await import('./talos/talos-rules.ts');
      return talosRules(await talosBehaviourFor(runtime), levels);
    }
  }
}
