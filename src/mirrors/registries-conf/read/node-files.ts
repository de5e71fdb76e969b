/** Everything on a node that these programs read about pulls, read once. */

import type { ConfigTree } from '../../config-tree.ts';
import type { RegistriesConfBehaviour } from '../behaviour.ts';
import { type AuthFile, rootAuthFiles } from './auth-files.ts';
import { type CrioConfig, readCrioConfig } from './crio-config.ts';
import {
  placesOn,
  type RefusedConfig,
  type RegistriesConfig,
  readRegistriesConfig,
} from './registries-config.ts';
import type { ShortNameMode } from './registries-types.ts';

/** All files of the node that say where images come from. */
export interface NodeFiles {
  readonly tree: ConfigTree;
  readonly behaviour: RegistriesConfBehaviour;
  readonly config: RegistriesConfig | RefusedConfig;
  /** Nothing at all for podman. */
  readonly crio: CrioConfig | undefined;
}

/** Reads them; CRI-O's own configuration too, where it is CRI-O. */
export async function readNodeFiles(
  tree: ConfigTree,
  behaviour: RegistriesConfBehaviour,
): Promise<NodeFiles> {
  const config = await readRegistriesConfig(tree, await placesOn(tree), behaviour.toml);
  const isCrio = behaviour.runtime.name === 'cri-o';
  const crio = isCrio ? await readCrioConfig(tree, behaviour.toml) : undefined;
  return { tree, behaviour, config, crio };
}

/** CRI-O sets the mode itself and does not ask registries.conf. */
export function modeOf(
  { crio, behaviour }: NodeFiles,
  config: Pick<RegistriesConfig, 'shortNameMode'>,
): ShortNameMode {
  if (behaviour.shortNames === 'by registries.conf') return config.shortNameMode;
  if (behaviour.shortNames === 'disabled') return 'disabled';
  const isSetOff = crio?.kind === 'read' && crio.shortNameMode?.value === 'disabled';
  return isSetOff ? 'disabled' : 'enforcing';
}

/** The files with logins: those of root, unless CRI-O is told another one. */
export function authFilesOf({ crio }: NodeFiles): readonly AuthFile[] {
  const path = crio?.kind === 'read' ? crio.globalAuthFile?.value : undefined;
  return path === undefined ? rootAuthFiles : [{ path, isOldFormat: false }];
}
