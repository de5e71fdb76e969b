/** The node's main configuration as far as it decides where images come from. */

import type { TomlTable } from '../../../documents/toml.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { ConfigSchema } from '../../containerd-version/config-schema.ts';
import { BUILT_IN, type Noticed, type Origin } from '../../finding.ts';
import { type CriSettings, type CriSources, criSettings, placeIn } from '../cri/cri-settings.ts';
import { type PullMode, pullModeOf, registryOf } from '../cri/pull-mode.ts';
import { criFault } from '../start/cri-check.ts';
import { StartFault } from '../start/faults.ts';
import { checkStart, type StartFacts } from '../start/start-check.ts';
import { unpackMismatch } from '../start/unpack-check.ts';
import { loadConfigFiles, valueAt } from './config-files.ts';
import { mainConfigFindings } from './config-findings.ts';
import { mergeConfig } from './merged-config.ts';
import { CRI, CRI_IMAGES, TRANSFER } from './plugin-names.ts';

/** Where containerd looks for its configuration unless it is told otherwise. */
export const MAIN_CONFIG = '/etc/containerd/config.toml';

/** What a bad configuration does: the service exits, or runs without serving the kubelet, or serves no pull. */
export type ConfigEffect =
  | 'containerd does not start'
  | 'the CRI plugin does not load'
  | 'every pull fails';

/** The configuration in force, or why no pull is possible with it. */
export type MainConfig =
  | {
      readonly kind: 'read';
      /** The same files with their places. */
      readonly sources: CriSources;
      readonly schema: ConfigSchema;
      /** The files that were read, in order; empty when there is none and all is default. */
      readonly files: readonly string[];
      readonly settings: CriSettings;
      readonly registry: TomlTable;
      readonly mode: PullMode;
      /** Where config_path is set; the main file when it is nowhere. */
      readonly configPathOrigin: Origin;
      readonly sandbox: { readonly image: string; readonly origin: Origin };
      readonly findings: readonly Noticed[];
    }
  | {
      readonly kind: 'refused';
      readonly effect: ConfigEffect;
      readonly error: string;
      readonly origin: Origin;
      readonly findings: readonly Noticed[];
    };

/** Reads the main file and its imports. Never rejects for bad configuration. */
export async function readMainConfig(
  tree: ConfigTree,
  behaviour: ContainerdBehaviour,
  path = MAIN_CONFIG,
): Promise<MainConfig> {
  const loaded = await loadConfigFiles(tree, path, behaviour);
  if (loaded.kind === 'refused') {
    return refused('containerd does not start', loaded.error, loaded.origin);
  }
  const { files, schema } = loaded;
  try {
    const merged = mergeConfig(files, behaviour);
    return judgeConfig({ files, merged, behaviour }, schema, path);
  } catch (error) {
    if (!(error instanceof StartFault)) throw error;
    const origin = placeIn(files, error.path) ?? { file: path };
    return refused('containerd does not start', error.message, origin);
  }
}

/** Throws {@link StartFault} where containerd exits. */
function judgeConfig(sources: CriSources, schema: StartFacts['schema'], path: string): MainConfig {
  const { files, merged, behaviour } = sources;
  const facts = { merged, schema, behaviour };
  const plugins = checkStart(facts);
  const fault = criFault(facts, plugins);
  if (fault !== undefined) {
    const isRequired = merged.required.includes(merged.nameOf(CRI));
    const effect = isRequired ? 'containerd does not start' : 'the CRI plugin does not load';
    return refused(effect, fault.error, placeIn(files, fault.path) ?? { file: path });
  }
  const images = plugins.get(behaviour.has('split-cri-plugin') ? CRI_IMAGES : CRI) ?? {};
  const mismatch = unpackMismatch(images, plugins.get(TRANSFER) ?? {}, behaviour);
  if (mismatch !== undefined) {
    return refused(
      'every pull fails',
      mismatch.error,
      placeIn(files, mismatch.path) ?? { file: path },
    );
  }
  return readConfig(criSettings(images, sources), { sources, schema }, path);
}

const noService = {
  rule: 'C019',
  fix: 'Correct this place and restart containerd; until then kubelet reports an unknown service runtime.v1.ImageService.',
} as const;

const advice: Readonly<Record<ConfigEffect, Pick<Noticed, 'rule' | 'fix'>>> = {
  'containerd does not start': noService,
  'the CRI plugin does not load': noService,
  'every pull fails': {
    rule: 'C031',
    fix: 'Give unpack_config of io.containerd.transfer.v1.local an entry for this snapshotter, or set use_local_image_pull = true beside it, and restart containerd.',
  },
};

function refused(effect: ConfigEffect, reason: string, origin: Origin): MainConfig {
  const error = `${effect}: ${reason}`;
  const finding: Noticed = { ...advice[effect], origin, message: error };
  return { kind: 'refused', effect, error, origin, findings: [finding] };
}

function readConfig(
  settings: CriSettings,
  { sources, schema }: Pick<Extract<MainConfig, { kind: 'read' }>, 'sources' | 'schema'>,
  path: string,
): MainConfig {
  const { files, behaviour } = sources;
  const mode = pullModeOf(settings.images, behaviour);
  const configPathOrigin = settings.originOf(['registry', 'config_path']) ?? { file: path };
  return {
    kind: 'read',
    sources,
    schema,
    files: files.map((file) => file.path),
    settings,
    registry: registryOf(settings.images),
    mode,
    configPathOrigin,
    sandbox: sandboxOf(settings, behaviour, path),
    findings: mainConfigFindings({ settings, mode, behaviour, configPathOrigin }),
  };
}

function sandboxOf(settings: CriSettings, behaviour: ContainerdBehaviour, path: string) {
  const places = behaviour.has('split-cri-plugin')
    ? ['pinned_images', 'sandbox']
    : ['sandbox_image'];
  const image = valueAt(settings.images, places);
  if (typeof image === 'string' && image !== '') {
    return { image, origin: settings.originOf(places) ?? { file: path } };
  }
  return { image: behaviour.sandboxImage, origin: BUILT_IN };
}
