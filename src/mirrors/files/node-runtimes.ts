import type { RuntimeName } from '../../site/runtime-id.ts';
import type { ConfigTree } from '../config-tree.ts';
import { MACHINE_CONFIG, REGISTRIES_PATCH } from '../talos/machine-config.ts';

/** The folders and files that are there where a runtime is set up. */
const places: ReadonlyArray<readonly [runtime: RuntimeName, paths: readonly string[]]> = [
  ['containerd', ['/etc/containerd']],
  ['k3s', ['/etc/rancher/k3s']],
  ['rke2', ['/etc/rancher/rke2']],
  ['cri-o', ['/etc/crio']],
  ['podman', ['/etc/containers/registries.conf', '/etc/containers/registries.conf.d']],
  ['docker', ['/etc/docker/daemon.json', '/etc/docker/certs.d']],
  ['talos', [MACHINE_CONFIG, REGISTRIES_PATCH]],
];

/**
 * The runtimes that are set up on a node: `/etc/containerd` → containerd. Where CRI-O is, the files in
 * `/etc/containers` are looked at as it reads them.
 */
export async function runtimesOn(tree: ConfigTree): Promise<readonly RuntimeName[]> {
  const found: RuntimeName[] = [];
  for (const [runtime, paths] of places) {
    const entries = await Promise.all(paths.map((path) => tree.read(path)));
    if (entries.some(({ kind }) => kind !== 'missing')) found.push(runtime);
  }
  return found.filter((name) => name !== 'podman' || !found.includes('cri-o'));
}

/** The runtime in whose folder a path lies on the node itself: `/etc/docker/certs.d/x` → docker. */
export function runtimeAt(path: string): RuntimeName | undefined {
  const isInside = (place: string) => `${path}/`.startsWith(`${place}/`);
  return places.find(([, paths]) => paths.some(isInside))?.[0];
}
