/** Whether an address is the registry that an image names, however it is written. */

import { HUB, isHub } from './docker-hub.ts';

/** Names of Docker Hub that are no registry of any image, but lead there. */
const hubSites = ['registry.hub.docker.com', 'hub.docker.com'];

/**
 * Whether `host`, with or without a port, is the registry itself: for `quay.io` also `quay.io.`,
 * `quay.io:0443` and `quay.io:80`, for `docker.io` each name of Docker Hub. A registry that has a port
 * of its own in its name is one of several on its host: only that port is it.
 */
export function isRegistryItself(registry: string, host: string): boolean {
  const own = partsOf(registry);
  const asked = partsOf(host);
  return own.name === asked.name && (own.port === HTTPS || own.port === asked.port);
}

const HTTPS = 443;

/** `Quay.io.:0443` → `quay.io` and 443, as which Go dials it too. */
function partsOf(text: string): { readonly name: string; readonly port: number } {
  const [, host = text, port = ''] = /^(.*?)\.?(?::(\d*))?$/.exec(text.toLowerCase()) ?? [];
  const name = isHub(host) || hubSites.includes(host) ? HUB : host;
  return { name, port: port === '' ? HTTPS : Number(port) };
}
