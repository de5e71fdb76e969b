/** Names of folders below config_path under which containerd never looks for rules. */

import { didYouMean, suggest } from '../../../documents/suggest.ts';
import { HUB, HUB_HOST, HUB_INDEX } from '../../../oci/docker-hub.ts';
import { containerdRegistryKey, parseReference } from '../../../oci/reference.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Noticed } from '../../finding.ts';
import { UNLISTED } from '../../mirror-rule.ts';
import { DEFAULT_DIRECTORY } from '../host-directory.ts';

/** Why a name is none, what to do, and the name that was meant where only one can be. */
export interface NameFault extends Pick<Noticed, 'message' | 'fix'> {
  readonly meant?: string;
}

/** The registry whose rules a folder holds: `reg.example_5000_` → `reg.example:5000`. */
export function registryOfFolder(name: string): string {
  if (name === DEFAULT_DIRECTORY) return UNLISTED;
  return name.replace(/^(.+)_([^_]*)_$/, '$1:$2');
}

/**
 * The fault in a folder's name, or undefined. `needed` are the registries that images are known to be
 * named after: what one of them wants is never wrong.
 */
export function folderNameFault(
  name: string,
  behaviour: ContainerdBehaviour,
  needed: readonly string[] = [],
): NameFault | undefined {
  if (needed.includes(registryOfFolder(name))) return undefined;
  if (name === DEFAULT_DIRECTORY) return unknownDefault(behaviour);
  return (
    wildcardFault(name) ??
    schemeFault(name) ??
    hubFault(name) ??
    portFault(name) ??
    caseFault(name) ??
    misspeltDefault(name) ??
    grammarFault(name)
  );
}

function unknownDefault(behaviour: ContainerdBehaviour): NameFault | undefined {
  if (behaviour.has('default-directory')) return undefined;
  const message = `containerd ${behaviour.version} does not look for ${DEFAULT_DIRECTORY}: it came with 1.6.17`;
  return { message, fix: 'Write a folder for each registry, or use a newer containerd.' };
}

function wildcardFault(name: string): NameFault | undefined {
  if (name === '*') {
    const message = `* is no wildcard: the folder for all other registries is called ${DEFAULT_DIRECTORY}`;
    return { message, fix: `Rename it to ${DEFAULT_DIRECTORY}.`, meant: DEFAULT_DIRECTORY };
  }
  if (!name.includes('*')) return undefined;
  const message = `${name} is looked for as it stands: there is no wildcard for names of registries`;
  const fix = `Write a folder for each registry, or ${DEFAULT_DIRECTORY} for all that have none.`;
  return { message, fix };
}

function schemeFault(name: string): NameFault | undefined {
  if (!/^https?:$/i.test(name)) return undefined;
  const message = `${name} is no registry: the name of a folder has no scheme`;
  return { message, fix: 'Move the folder inside of it up, and remove this one.' };
}

function hubFault(name: string): NameFault | undefined {
  const names = [HUB_INDEX, HUB_HOST, 'hub.docker.com', 'www.docker.io', 'registry.hub.docker.com'];
  if (!names.includes(name)) return undefined;
  const message = `images of Docker Hub are looked up as ${HUB}, never as ${name}`;
  return { message, fix: `Rename it to ${HUB}.`, meant: HUB };
}

function portFault(name: string): NameFault | undefined {
  const [, host, port] = /^(.+)[_-](\d{2,5})$/.exec(name) ?? [];
  if (host === undefined || !host.includes('.')) return undefined;
  const meant = `${host}_${port}_`;
  const message = `${name} is no name with a port: the port stands between two underscores`;
  return { message, fix: `Rename it to ${meant}.`, meant };
}

function caseFault(name: string): NameFault | undefined {
  if (name === name.toLowerCase()) return undefined;
  const meant = name.toLowerCase();
  const message = `${name} is found only for images that are written with the same capital letters`;
  return { message, fix: `Rename it to ${meant}.`, meant };
}

function misspeltDefault(name: string): NameFault | undefined {
  if (/[.:]/.test(name) || suggest(name, [DEFAULT_DIRECTORY]) === undefined) return undefined;
  const message = `${name} is looked for as the name of a registry${didYouMean(name, [DEFAULT_DIRECTORY])}`;
  const fix = `Rename it to ${DEFAULT_DIRECTORY}.`;
  return { message, fix, meant: DEFAULT_DIRECTORY };
}

function grammarFault(name: string): NameFault | undefined {
  const registry = registryOfFolder(name);
  const looked = lookedUp(registry);
  if (looked === registry) return undefined;
  const message =
    looked === undefined
      ? `${registry} cannot be the registry of an image`
      : `${registry} is no registry: images that start with it are looked up as ${looked}`;
  return { message, fix: 'Name the folder as the registry in the names of images: quay.io.' };
}

function lookedUp(registry: string): string | undefined {
  try {
    return containerdRegistryKey(parseReference(`${registry}/slipway/lint:1`));
  } catch {
    return undefined; // no image can be called like that, which is the answer
  }
}
