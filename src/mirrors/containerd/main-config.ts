/** The node's main configuration as far as it decides where images come from. */

import type { TomlTable } from '../../documents/toml.ts';
import type { ConfigTree } from '../config-tree.ts';
import type { Finding, Origin } from '../finding.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import { pluginFault } from './config-check.ts';
import { loadConfigFiles, valueAt } from './config-files.ts';
import { mainConfigFindings } from './config-findings.ts';
import { type CriSettings, criSettings } from './cri-settings.ts';
import { type PullMode, pullModeOf, registryOf } from './pull-mode.ts';

/** Where containerd looks for its configuration unless it is told otherwise. */
export const MAIN_CONFIG = '/etc/containerd/config.toml';

/** The configuration in force, or why no pull is possible with it. */
export type MainConfig =
  | {
      readonly kind: 'read';
      /** The files that were read, in order; empty when there is none and all is default. */
      readonly files: readonly string[];
      readonly settings: CriSettings;
      readonly registry: TomlTable;
      readonly mode: PullMode;
      /** Where config_path is set; the main file when it is nowhere. */
      readonly configPathOrigin: Origin;
      readonly sandbox: { readonly image: string; readonly origin: Origin };
      readonly findings: readonly Finding[];
    }
  | {
      readonly kind: 'refused';
      readonly error: string;
      readonly origin: Origin;
      readonly findings: readonly Finding[];
    };

/** Reads the main file and its imports. Never rejects for bad configuration. */
export async function readMainConfig(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  path = MAIN_CONFIG,
): Promise<MainConfig> {
  const loaded = await loadConfigFiles(tree, path, behaviour);
  if (loaded.kind === 'refused') {
    return { ...loaded, error: `containerd does not start: ${loaded.error}`, findings: [] };
  }
  const settings = criSettings(loaded.files, behaviour);
  const mode = pullModeOf(settings.images, behaviour);
  const originOf = (at: readonly string[]) => settings.originOf(at) ?? { file: path };
  const fault = pluginFault(settings, mode, behaviour);
  if (fault !== undefined) {
    const origin = originOf(fault.path);
    const error = `the CRI plugin does not load: ${fault.error}`;
    const fix =
      'Correct this place and restart containerd; until then kubelet reports an unknown service runtime.v1.ImageService.';
    const finding: Finding = { rule: 'C019', level: 'error', origin, message: error, fix };
    return { kind: 'refused', error, origin, findings: [finding] };
  }
  const configPathOrigin = originOf(['registry', 'config_path']);
  return {
    kind: 'read',
    files: loaded.files.map((file) => file.path),
    settings,
    registry: registryOf(settings.images),
    mode,
    configPathOrigin,
    sandbox: sandboxOf(settings, behaviour, path),
    findings: mainConfigFindings({ settings, mode, behaviour, configPathOrigin }),
  };
}

function sandboxOf(settings: CriSettings, behaviour: ContainerdBehaviour, path: string) {
  const places = behaviour.has('images-plugin') ? ['pinned_images', 'sandbox'] : ['sandbox_image'];
  const image = valueAt(settings.images, places);
  if (typeof image === 'string' && image !== '') {
    return { image, origin: settings.originOf(places) ?? { file: path } };
  }
  return { image: behaviour.sandboxImage, origin: { file: '(built in)' } };
}
