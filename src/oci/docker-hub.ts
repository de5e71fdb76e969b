/** The name of Docker Hub in references: `docker.io/library/nginx`. A web site, not a registry. */
export const HUB = 'docker.io';

/** The host of Docker Hub's registry; every runtime knows it by heart. */
export const HUB_HOST = 'registry-1.docker.io';

/** The name of Docker Hub from before 2014, which login files and old references still have. */
export const HUB_INDEX = 'index.docker.io';

/** Whether a host, in any letter case, stands for Docker Hub. */
export function isHub(host: string): boolean {
  return [HUB, HUB_INDEX, HUB_HOST].includes(host.toLowerCase());
}

/** The host of the registry behind a name: `docker.io` → `registry-1.docker.io`, others as they are. */
export function upstreamHost(registry: string): string {
  return registry === HUB ? HUB_HOST : registry;
}
