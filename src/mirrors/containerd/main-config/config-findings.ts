/** What is worth saying about a main configuration with which the CRI plugin does load. */

import { isTomlTable } from '../../../documents/toml.ts';
import { HUB, HUB_HOST } from '../../../oci/docker-hub.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import { BUILT_IN, type Noticed, type Origin } from '../../finding.ts';
import { newerNotes } from '../../newer-version.ts';
import type { CriSettings } from '../cri/cri-settings.ts';
import { localPullReason, type PullMode, registryOf } from '../cri/pull-mode.ts';

/** The configuration to judge. */
export interface JudgedConfig {
  readonly settings: CriSettings;
  readonly mode: PullMode;
  readonly behaviour: ContainerdBehaviour;
  readonly configPathOrigin: Origin;
}

/** C018 (rules are not read), C020 (a login that nobody uses) and C027 (a version nobody has seen). */
export function mainConfigFindings(config: JudgedConfig): readonly Noticed[] {
  return [
    ...newerFindings(config.behaviour),
    ...unreadFindings(config),
    ...configPathFindings(config),
    ...hubLoginFindings(config),
  ];
}

/** What a report says of a version that came out later than what we know; undefined for the others. */
export function newerVersionNote({ version, takenFor }: ContainerdBehaviour): string | undefined {
  return newerNotes(`containerd ${version}`, takenFor)[0];
}

/** C027, which is worth saying also where there is no main configuration. */
export function newerFindings(behaviour: ContainerdBehaviour): readonly Noticed[] {
  const message = newerVersionNote(behaviour);
  if (message === undefined) return [];
  const fix =
    'Use a Slipway that knows this version, or pull one image by hand before you rely on it.';
  return [{ rule: 'C027', origin: BUILT_IN, message, fix }];
}

function unreadFindings({ settings, behaviour }: JudgedConfig): readonly Noticed[] {
  return settings.unread.map(({ table, origin }) => ({
    rule: 'C018',
    origin,
    message: `containerd ${behaviour.version} does not read the registry settings of plugins."${table}" here; it reads plugins."${settings.table}"`,
    fix: `Move them to [plugins."${settings.table}".registry] and restart containerd.`,
  }));
}

function configPathFindings({
  mode,
  settings,
  behaviour,
  configPathOrigin,
}: JudgedConfig): readonly Noticed[] {
  const finding = { rule: 'C018', origin: configPathOrigin } as const;
  const fix = `Set config_path = "/etc/containerd/certs.d" in [plugins."${settings.table}".registry] and restart containerd.`;
  if (mode.configPath === '') {
    return [{ ...finding, message: 'config_path is empty, so no host directory is read', fix }];
  }
  if (!mode.configPath.includes(':') || mode.by === 'local pull') return [];
  const what = configPathOrigin.line === undefined ? 'the built-in config_path' : 'config_path';
  const message = `${what} "${mode.configPath}" is a list; the transfer service of containerd ${behaviour.version} takes it as one directory, so no host directory is read`;
  const reason = localPullReason(settings.images);
  return reason === undefined ? [{ ...finding, message, fix }] : [];
}

function hubLoginFindings({ settings }: JudgedConfig): readonly Noticed[] {
  const { configs } = registryOf(settings.images);
  const hub = isTomlTable(configs) ? configs[HUB] : undefined;
  if (!isTomlTable(hub) || !isTomlTable(hub['auth'])) return [];
  const origin = settings.originOf(['registry', 'configs', HUB, 'auth']);
  return [
    {
      rule: 'C020',
      origin: origin ?? BUILT_IN,
      message: `the login for ${HUB} is never used: images of Docker Hub are asked of ${HUB_HOST}`,
      fix: `Name the table registry.configs."${HUB_HOST}".auth.`,
    },
  ];
}
