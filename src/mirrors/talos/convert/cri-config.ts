/** The part of containerd's main configuration that Talos makes of logins. */

import { upstreamHost } from '../../../oci/docker-hub.ts';
import { compareText } from '../../../shared/json.ts';
import { tomlKey, tomlText } from '../../go/toml/go-toml-text.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import type { HostAuth, Registries } from '../read/registries.ts';
import { HOSTS_FOLDER } from './generate-hosts.ts';

/**
 * The host that a login is kept under: `docker.io` → `registry-1.docker.io`, the host of the request.
 * Source: siderolabs/talos internal/pkg/containers/cri/containerd/containerd.go, GenerateCRIConfig.
 */
export function loginHost(name: string): string {
  return upstreamHost(name);
}

/** `/etc/cri/conf.d/01-registries.part`, byte for byte. Holds logins: for no other user's eyes. */
export function criRegistriesPart(
  auths: Registries['auths'],
  behaviour: Pick<TalosBehaviour, 'has'>,
): string {
  const plugin = `plugins.${tomlKey(pluginName(behaviour))}`;
  const configs = loginsByHost(auths).map((auth) => loginLines(auth, `${plugin}.registry.configs`));
  const head = [
    '[plugins]',
    `  [${plugin}]`,
    `    [${plugin}.registry]`,
    `      config_path = ${tomlText(HOSTS_FOLDER)}`,
    '',
    `      [${plugin}.registry.configs]`,
  ];
  return `${[head.join('\n'), configs.map((one) => one.join('\n')).join('\n\n')].filter((part) => part !== '').join('\n')}\n`;
}

/** Sorted by host; of several names of one host the last counts. */
function loginsByHost(auths: Registries['auths']): readonly HostAuth[] {
  const byName = [...auths.values()].sort((a, b) => compareText(a.name, b.name));
  const byHost = new Map(byName.map((auth) => [loginHost(auth.name), auth]));
  return [...byHost.values()].sort((a, b) => compareText(loginHost(a.name), loginHost(b.name)));
}

function loginLines(auth: HostAuth, table: string): readonly string[] {
  const entry = `${table}.${tomlKey(loginHost(auth.name))}`;
  return [
    `        [${entry}]`,
    `          [${entry}.auth]`,
    `            username = ${tomlText(auth.username)}`,
    `            password = ${tomlText(auth.password.reveal())}`,
    `            auth = ${tomlText(auth.auth.reveal())}`,
    `            identitytoken = ${tomlText(auth.identityToken.reveal())}`,
  ];
}

function pluginName(behaviour: Pick<TalosBehaviour, 'has'>): string {
  return behaviour.has('split-cri-plugin')
    ? 'io.containerd.cri.v1.images'
    : 'io.containerd.grpc.v1.cri';
}

/**
 * What containerd of a node gets altogether, as far as pulls go: the part above and the one that Talos
 * brings (hack/cri-plugin.part).
 */
export function criMainConfig(auths: Registries['auths'], behaviour: TalosBehaviour): string {
  const isSplit = behaviour.has('split-cri-plugin');
  const [first, plugin, ...rest] = criRegistriesPart(auths, behaviour).split('\n');
  const settings = [
    '    discard_unpacked_layers = true',
    ...(behaviour.has('local-image-pull') ? ['    use_local_image_pull = true'] : []),
  ];
  const own = isSplit
    ? settings
    : ['    [plugins."io.containerd.grpc.v1.cri".containerd]', ...settings];
  return [`version = ${isSplit ? 3 : 2}`, first, plugin, ...own, ...rest].join('\n');
}
