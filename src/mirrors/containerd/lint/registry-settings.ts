/** What is worth saying about the registry settings of a main configuration that containerd reads. */

import { isTomlTable } from '../../../documents/toml.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Noticed } from '../../finding.ts';
import { failures } from '../../hosts-toml/lint/failures.ts';
import { folderNameFault } from '../../hosts-toml/lint/folder-name.ts';
import { UNLISTED } from '../../mirror-rule.ts';
import { hasEntries } from '../cri/cri-mirrors.ts';
import { deprecatedRules } from '../cri/deprecated-rules.ts';
import { valueAt } from '../main-config/config-files.ts';
import type { MainConfig } from '../main-config/main-config.ts';
import { tableOr } from '../main-config/plugin-names.ts';
import { unknownConfigKeys } from './config-keys.ts';

type ReadConfig = Extract<MainConfig, { kind: 'read' }>;

interface Place {
  readonly tree: ConfigTree;
  readonly behaviour: ContainerdBehaviour;
}

/** C003, C015, C018, C030, C032 and S001 in the main configuration; nothing where it is refused. */
export async function registrySettings(
  config: MainConfig,
  place: Place,
): Promise<readonly Noticed[]> {
  if (config.kind === 'refused') return [];
  return [
    ...unknownConfigKeys(config),
    ...deprecated(config),
    ...uncheckedHosts(config),
    ...(await missingRoots(config, place)),
    ...(await mirrorEntries(config, place)),
  ];
}

/** C032: the three tables that hosts.toml replaced. */
function deprecated({ registry, settings }: ReadConfig): readonly Noticed[] {
  const kinds = ['mirrors', 'auths', 'configs'] as const;
  return kinds.flatMap((kind): Noticed[] => {
    const origin = settings.originOf(['registry', kind]);
    if (!hasEntries(registry, kind) || origin === undefined) return [];
    const message = `registry.${kind} is deprecated: ${whyDeprecated[kind]}`;
    const level = kind === 'configs' ? ({ level: 'info' } as const) : {};
    return [{ rule: 'C032', ...level, origin, message, fix: insteadOf[kind] }];
  });
}

const whyDeprecated = {
  mirrors:
    'it excludes config_path, cannot leave the registry itself out, and needs a restart for each change',
  auths: 'logins stand in clear text in the main configuration',
  configs: 'logins stand in clear text in the main configuration, and each change needs a restart',
} as const;

const insteadOf = {
  mirrors:
    'Write /etc/containerd/certs.d/REGISTRY/hosts.toml for each registry, and set config_path.',
  auths: 'Use pull secrets, or a credential provider of the kubelet.',
  configs:
    'Use pull secrets, or a credential provider of the kubelet, where nodes need not log in by themselves.',
} as const;

/** S001, for the TLS settings that 1.x has here. */
function uncheckedHosts({ registry, settings }: ReadConfig): readonly Noticed[] {
  return Object.keys(tableOr(registry['configs'])).flatMap((host): Noticed[] => {
    const path = ['registry', 'configs', host, 'tls', 'insecure_skip_verify'];
    const origin = settings.originOf(path);
    if (valueAt(registry, path.slice(1)) !== true || origin === undefined) return [];
    const message = `the certificate of ${host} is not checked: whoever answers at its address is believed`;
    const fix = 'Give the authority of the registry as ca, and remove the setting.';
    return [{ rule: 'S001', origin, message, fix }];
  });
}

/** C018: a directory that is named and is not there. */
async function missingRoots(
  { registry, configPathOrigin, mode }: ReadConfig,
  { tree }: Place,
): Promise<readonly Noticed[]> {
  const { config_path: written } = registry;
  if (typeof written !== 'string' || written === '') return [];
  const roots = mode.configPath.split(':').filter((root) => root !== '');
  const kinds = await Promise.all(roots.map(async (root) => (await tree.read(root)).kind));
  if (kinds.some((kind) => kind === 'folder')) return [];
  const isFile = kinds.includes('file');
  const message = isFile
    ? `config_path "${written}" names a file; containerd wants the folder that holds the folders of the registries`
    : `config_path "${written}" names a folder that is not there, so every registry is asked itself`;
  const fix = isFile
    ? 'Name the folder: /etc/containerd/certs.d.'
    : 'Write the rules there, or correct the name and restart containerd.';
  const level = isFile ? 'error' : 'warn';
  return [{ rule: 'C018', level, origin: configPathOrigin, message, fix }];
}

/** C010, C015, C030: the entries of registry.mirrors, where they are what counts. */
async function mirrorEntries(
  { registry: settings, settings: cri, configPathOrigin, mode }: ReadConfig,
  { tree, behaviour }: Place,
): Promise<readonly Noticed[]> {
  const { mirrors } = settings;
  if (!mode.usesMirrors || !isTomlTable(mirrors)) return [];
  const found = Object.keys(mirrors).map(async (key): Promise<readonly Noticed[]> => {
    const origin = cri.originOf(['registry', 'mirrors', key]) ?? configPathOrigin;
    const registry = key === '*' ? UNLISTED : key;
    const rules = await deprecatedRules({ tree, registry, settings, behaviour, origin });
    const fault = key === '*' ? undefined : entryFault(key, behaviour);
    return [
      ...(fault === undefined ? [] : [{ rule: 'C015', origin, ...fault } as const]),
      ...failures({ registry, rules, others: [], behaviour }),
    ];
  });
  return (await Promise.all(found)).flat();
}

/** Entries are found by the registry's exact name, without a scheme or a path. */
function entryFault(key: string, behaviour: ContainerdBehaviour) {
  const plain = key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  if (plain !== key) {
    const message = `registry.mirrors."${key}" is never found: its name must be the registry alone`;
    return { message, fix: `Write registry.mirrors."${plain}" and restart containerd.` };
  }
  const found = folderNameFault(key, behaviour);
  if (found === undefined) return undefined;
  const fix = `Write registry.mirrors."${found.meant ?? 'REGISTRY'}" and restart containerd.`;
  return { message: `registry.mirrors."${key}" is never found: ${found.message}`, fix };
}
