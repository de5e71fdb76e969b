import type { TomlTable } from '../../../documents/toml.ts';
import { isTomlTable } from '../../../documents/toml.ts';
import { Secret } from '../../../shared/secret.ts';
import { BUILT_IN } from '../../finding.ts';
import type { RegistryEndpoint } from '../../hosts-toml/endpoints.ts';
import { valueAt } from '../main-config/config-files.ts';
import { readCriAuth, registryConfigs } from './cri-auth.ts';
import type { CriSettings } from './cri-settings.ts';

/** Where logins and headers for all hosts are set. */
export interface LoginSource {
  readonly registry: TomlTable;
  readonly settings: CriSettings;
}

/**
 * The endpoint with the login that the main configuration holds for its host (never for the name of
 * the registry), and with the headers that it sends to every host. A login that cannot be read is
 * left out: the runtime then fails only where the host asks for one.
 */
export function withLogin(
  endpoint: RegistryEndpoint,
  { registry, settings }: LoginSource,
): RegistryEndpoint {
  const headers = new Map([...globalHeaders(registry), ...endpoint.headers]);
  const auth = valueAt(registryConfigs(registry), [endpoint.host, 'auth']);
  const found = readCriAuth(isTomlTable(auth) ? auth : undefined, endpoint.host);
  if (found.kind !== 'login') return { ...endpoint, headers };
  const origin =
    settings.originOf(['registry', 'configs', endpoint.host, 'auth']) ??
    settings.originOf(['registry', 'auths']) ??
    BUILT_IN;
  return { ...endpoint, headers, login: { ...found.login, origin } };
}

function globalHeaders(registry: TomlTable): ReadonlyArray<readonly [string, readonly Secret[]]> {
  const { headers } = registry;
  return Object.entries(isTomlTable(headers) ? headers : {}).map(([name, values]) => {
    const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
    return [name, texts.map((text) => new Secret(text))];
  });
}
