import type { K3sProgram } from '../behaviour.ts';

/** Where k3s or RKE2 keeps its files unless it is told otherwise. */
export interface K3sPaths {
  /** `/etc/rancher/k3s`. */
  readonly folder: string;
  readonly registries: string;
  readonly config: string;
  readonly configFolder: string;
  readonly dataDir: string;
  /** The systemd units: of a server first. */
  readonly units: readonly [server: string, agent: string];
}

/** `k3s` → `/etc/rancher/k3s/registries.yaml` and the rest. */
export function k3sPaths(program: K3sProgram): K3sPaths {
  const folder = `/etc/rancher/${program}`;
  return {
    folder,
    registries: `${folder}/registries.yaml`,
    config: `${folder}/config.yaml`,
    configFolder: `${folder}/config.yaml.d`,
    dataDir: `/var/lib/rancher/${program}`,
    units: program === 'k3s' ? ['k3s', 'k3s-agent'] : ['rke2-server', 'rke2-agent'],
  };
}
