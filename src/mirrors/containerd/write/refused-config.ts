/** Refuses to add to a main configuration that stays wrong, or in which our settings would not count. */

import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { MirrorConfigBroken } from '../../errors.ts';
import { formatOrigin, type Origin } from '../../finding.ts';
import { CONTAINERD_CERTS_D } from '../../hosts-toml/write/certs-d.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { authorOf } from '../../own-text.ts';
import type { WantedFile } from '../../runtime-rules.ts';
import { readMainConfig } from '../main-config/main-config.ts';
import { isInForce, type WantedConfig } from './main-config-settings.ts';

/** What containerd refuses already stays refused, whatever is added; only its owner can mend it. */
export async function refuseBroken(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
): Promise<void> {
  const config = await readMainConfig(tree, behaviour);
  if (config.kind === 'read' || (await isOwnFile(tree, config.origin))) return;
  throw broken(config.error, config.origin);
}

/** Reads the configuration with the planned file in it; another file may exclude or overrule it. */
export async function refuseUseless(
  tree: ConfigTree,
  { path, content }: WantedFile,
  { behaviour, sandboxImage }: WantedConfig,
): Promise<void> {
  const config = await readMainConfig(overlayTree(tree, new Map([[path, content]])), behaviour);
  if (isInForce(config, sandboxImage)) return;
  if (config.kind === 'refused') {
    const place = formatOrigin(config.origin);
    const error = `it would not go together with the config_path that ${path} must get: ${config.error}`;
    throw broken(
      error,
      config.origin,
      `Put # before what stands at ${place}, and say the same as rules of Slipway; then run again.`,
    );
  }
  const isPathRead = isInForce(config, undefined);
  const origin = isPathRead ? config.sandbox.origin : config.configPathOrigin;
  const setting = isPathRead ? 'the sandbox image' : 'config_path';
  const value = JSON.stringify(isPathRead ? sandboxImage : CONTAINERD_CERTS_D);
  throw broken(
    `it is read after ${path} and sets ${setting} to something else`,
    origin,
    `Write ${value} at ${formatOrigin(origin)}, or remove that line; then run again.`,
  );
}

function broken(error: string, origin: Origin, mend?: string): Error {
  const place = formatOrigin(origin);
  return new MirrorConfigBroken({
    error,
    file: origin.file ?? place,
    place,
    ...(mend && { mend }),
  });
}

async function isOwnFile(tree: ConfigTree, { file }: Origin): Promise<boolean> {
  if (file === undefined) return false;
  const entry = await tree.read(file);
  return entry.kind === 'file' && authorOf(entry.bytes) === 'slipway';
}
