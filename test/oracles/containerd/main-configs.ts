/** The main configurations of the cases; each line writes them in its own version and table. */

import type { Line } from './lines.ts';

/**
 * - `single`: one directory
 * - `local`: two directories and logins, which the local pull reads (it is asked for where it is not the default)
 * - `list`: two directories and nothing else: the transfer service finds neither
 */
export type MainKind = 'single' | 'local' | 'list';

export const mainKinds: readonly MainKind[] = ['single', 'local', 'list'];

/** True where the transfer service pulls. */
export function isTransferred(main: MainKind, line: Line): boolean {
  return main !== 'local' && line.hasTransferService;
}

const paths: Readonly<Record<MainKind, string>> = {
  single: '/etc/containerd/certs.d',
  local: '/etc/containerd/certs.d:/etc/docker/certs.d',
  list: '/etc/containerd/certs.d:/etc/docker/certs.d',
};

export type Logins = Readonly<Record<string, readonly [user: string, password: string]>>;

/** The text of config.toml; `more` goes to its end. */
export function configText(main: MainKind, line: Line, logins: Logins, more = ''): string {
  const table = imagesTable(line);
  const isAsked = main === 'local' && line.hasTransferService;
  const auths = main === 'local' ? Object.entries(logins) : [];
  return [
    `version = ${line.configVersion}`,
    `[plugins.${table}]`,
    ...(isAsked ? ['use_local_image_pull = true'] : []),
    `[plugins.${table}.registry]`,
    `config_path = "${paths[main]}"`,
    ...auths.map(
      ([host, [user, password]]) =>
        `[plugins.${table}.registry.configs."${host}".auth]\nusername = "${user}"\npassword = "${password}"`,
    ),
    more,
  ].join('\n');
}

function imagesTable({ configVersion }: Line): string {
  return configVersion === 2 ? '"io.containerd.grpc.v1.cri"' : '"io.containerd.cri.v1.images"';
}
